import com.sun.source.tree.*;
import com.sun.source.util.*;
import java.io.IOException;
import java.nio.file.*;
import java.util.*;
import javax.tools.*;

/**
 * Prints the lines of the statements of Java files. Arguments: the folder with the files. Output:
 * words with tabs between, `file path`, then `lines first last` for each statement. Of a statement
 * with others in it, the lines are those of its head, as the condition of an if. An expression that
 * a lambda has for its body is a statement of its own, and so is what a field begins with.
 */
class Statements extends TreeScanner<Void, Void> {
    private final CompilationUnitTree unit;
    private final SourcePositions positions;

    Statements(CompilationUnitTree unit, SourcePositions positions) {
        this.unit = unit;
        this.positions = positions;
    }

    private void row(Tree from, Tree to) {
        long first = positions.getStartPosition(unit, from);
        long last = positions.getEndPosition(unit, to);
        if (first < 0 || last < 0) {
            return; // the compiler has made it
        }
        LineMap lines = unit.getLineMap();
        System.out.println("lines\t" + lines.getLineNumber(first) + "\t" + lines.getLineNumber(last - 1));
    }

    @Override
    public Void scan(Tree tree, Void none) {
        if (tree instanceof IfTree) {
            IfTree t = (IfTree) tree;
            row(t, t.getCondition());
        } else if (tree instanceof WhileLoopTree) {
            WhileLoopTree t = (WhileLoopTree) tree;
            row(t, t.getCondition());
        } else if (tree instanceof DoWhileLoopTree) {
            DoWhileLoopTree t = (DoWhileLoopTree) tree;
            row(t.getCondition(), t.getCondition());
        } else if (tree instanceof ForLoopTree) {
            ForLoopTree t = (ForLoopTree) tree;
            if (t.getCondition() != null) {
                row(t.getCondition(), t.getCondition());
            }
        } else if (tree instanceof EnhancedForLoopTree) {
            EnhancedForLoopTree t = (EnhancedForLoopTree) tree;
            row(t, t.getExpression());
        } else if (tree instanceof SwitchTree) {
            SwitchTree t = (SwitchTree) tree;
            row(t, t.getExpression());
        } else if (tree instanceof SynchronizedTree) {
            SynchronizedTree t = (SynchronizedTree) tree;
            row(t, t.getExpression());
        } else if (tree instanceof LambdaExpressionTree) {
            LambdaExpressionTree t = (LambdaExpressionTree) tree;
            if (t.getBodyKind() == LambdaExpressionTree.BodyKind.EXPRESSION) {
                row(t.getBody(), t.getBody());
            }
        } else if (tree instanceof VariableTree) {
            VariableTree t = (VariableTree) tree;
            if (t.getInitializer() != null) {
                row(t, t);
            }
        } else if (tree instanceof ExpressionStatementTree || tree instanceof ReturnTree || tree instanceof ThrowTree || tree instanceof AssertTree
            || tree instanceof BreakTree || tree instanceof ContinueTree) {
            row(tree, tree);
        }
        return super.scan(tree, none);
    }

    public static void main(String[] args) throws IOException {
        JavaCompiler javac = ToolProvider.getSystemJavaCompiler();
        StandardJavaFileManager manager = javac.getStandardFileManager(null, null, null);
        Path root = Path.of(args[0]);
        List<Path> files;
        try (var all = Files.walk(root)) {
            files = all.filter(p -> p.toString().endsWith(".java")).sorted().toList();
        }
        JavacTask task = (JavacTask) javac.getTask(null, manager, d -> { }, List.of("-proc:none"), null, manager.getJavaFileObjectsFromPaths(files));
        SourcePositions positions = Trees.instance(task).getSourcePositions();
        for (CompilationUnitTree unit : task.parse()) {
            System.out.println("file\t" + root.relativize(Path.of(unit.getSourceFile().getName())));
            new Statements(unit, positions).scan(unit, null);
        }
    }
}
