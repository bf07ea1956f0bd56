import com.sun.source.tree.*;
import com.sun.source.util.*;
import java.io.IOException;
import java.nio.file.*;
import java.util.*;
import javax.tools.*;

/**
 * Prints the classes, methods and fields of Java files with their lines. Arguments: the folder with
 * the files. Output: words with tabs between, `file path`, then `class name first last`, `method
 * name first last` and `field name first last`. A constructor has the name of its class, and so has
 * an initialiser of objects; that of a class is <clinit>. The lines of local and anonymous classes belong to the method or field around them, and have no rows.
 */
class Lines extends TreeScanner<Void, Void> {
    private final CompilationUnitTree unit;
    private final SourcePositions positions;
    private String scope;

    Lines(CompilationUnitTree unit, SourcePositions positions) {
        this.unit = unit;
        this.positions = positions;
        scope = unit.getPackageName() == null ? "" : unit.getPackageName() + ".";
    }

    private void row(String kind, String name, Tree tree) {
        LineMap lines = unit.getLineMap();
        System.out.println(kind + "\t" + scope + name + "\t" + lines.getLineNumber(positions.getStartPosition(unit, tree))
            + "\t" + lines.getLineNumber(positions.getEndPosition(unit, tree) - 1));
    }

    @Override
    public Void visitClass(ClassTree c, Void none) {
        String name = c.getSimpleName().toString();
        row("class", name, c);
        String outer = scope;
        scope += name + ".";
        for (Tree member : c.getMembers()) {
            if (member instanceof ClassTree) {
                scan(member, null);
            } else if (member instanceof MethodTree m) {
                row("method", m.getName().contentEquals("<init>") ? name : m.getName().toString(), m);
            } else if (member instanceof VariableTree v) {
                row("field", v.getName().toString(), v);
            } else if (member instanceof BlockTree b) {
                row("method", b.isStatic() ? "<clinit>" : name, b);
            }
        }
        scope = outer;
        return null;
    }

    public static void main(String[] args) throws IOException {
        JavaCompiler javac = ToolProvider.getSystemJavaCompiler();
        StandardJavaFileManager manager = javac.getStandardFileManager(null, null, null);
        Path root = Path.of(args[0]);
        List<Path> files;
        try (var all = Files.walk(root)) {
            files = all.filter(p -> p.toString().endsWith(".java")).sorted().toList();
        }
        boolean[] wrong = {false};
        DiagnosticListener<JavaFileObject> listener = d -> {
            if (d.getKind() == Diagnostic.Kind.ERROR) {
                System.err.println(d);
                wrong[0] = true;
            }
        };
        JavacTask task = (JavacTask) javac.getTask(null, manager, listener, List.of("-proc:none"), null, manager.getJavaFileObjectsFromPaths(files));
        SourcePositions positions = Trees.instance(task).getSourcePositions();
        for (CompilationUnitTree unit : task.parse()) {
            System.out.println("file\t" + root.relativize(Path.of(unit.getSourceFile().getName())));
            new Lines(unit, positions).scan(unit, null);
        }
        System.exit(wrong[0] ? 1 : 0);
    }
}
