"""Changed code of a library: which of its lines ran, and which do all as before.

Lines are noted with sys.settrace, in the functions with changed lines only. A line of a statement
that has several lines counts as the statement. Lines without instructions, such as comments and
"else:", are no code. A condition is noted where the interpreter jumps: each operand by itself.
"""

import ast
import dis
import os
import sys
import threading
import types

CODE = os.environ.get("MULTIGRAIN_CODE", "")
KNOWS = sys.version_info >= (3, 10)  # before that the interpreter does not say which line an instruction is of


def take():
    """Let the changed code take the place of the library."""
    if CODE:
        sys.path.insert(0, CODE)


def strangers():
    """Return a module that the changed code has, and that was imported from elsewhere."""
    root = os.path.realpath(CODE) + os.sep
    for name, module in sorted(sys.modules.items()):
        own = os.path.join(root, *name.split("."))
        if not (os.path.exists(own + ".py") or os.path.exists(os.path.join(own, "__init__.py"))):
            continue
        path = getattr(module, "__file__", None)
        if path and not os.path.realpath(path).startswith(root):
            yield name, path


def blocks(code):
    """The code of a module with that of all functions and classes in it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from blocks(constant)


def compiled(path):
    with open(path, "rb") as f:
        return compile(f.read(), path, "exec", dont_inherit=True)


def lines_of(code):
    return {line for _, _, line in code.co_lines() if line}


class Source:
    """A source with the lines that have instructions, and the statements around the others."""

    def __init__(self, path):
        with open(path, "rb") as f:
            text = f.read()
        self.text = text.decode(errors="replace").split("\n")
        self.codes = list(blocks(compile(text, path, "exec", dont_inherit=True)))
        # The functions; what is outside of them runs when the module is loaded.
        self.functions = [c for c in self.codes if c.co_flags & 2]
        self.known = set().union(*map(lines_of, self.functions)) if self.functions else set()
        tree = ast.parse(text)
        self.statements = [n for n in ast.walk(tree) if isinstance(n, ast.stmt) and not hasattr(n, "body")]
        self.defs = [n for n in ast.walk(tree) if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef))]
        self.docs = set()
        for n in self.statements:
            if isinstance(n, ast.Expr) and isinstance(n.value, ast.Constant):
                self.docs.update(range(n.lineno, n.end_lineno + 1))

    def function(self, line):
        """The innermost function around a line."""
        around = [d for d in self.defs if d.lineno <= line <= d.end_lineno]
        return max(around, key=lambda d: d.lineno, default=None)

    def place(self, line, removed):
        """The line whose run is that of a line; None if it is no code of a function."""
        within = self.function(line - 1 if removed else line)
        if within is None:
            return None
        if removed:  # the next code of the function, or else what precedes it
            after = [n for n in self.known if line <= n <= within.end_lineno]
            return min(after) if after else max((n for n in self.known if within.lineno < n < line), default=None)
        if line in self.docs:
            return None
        if line in self.known and line > within.lineno:
            return line
        around = [n for n in self.statements if n.lineno <= line <= n.end_lineno]
        if not around:
            return None
        first = max(around, key=lambda n: n.lineno)
        inside = [n for n in self.known if first.lineno <= n <= first.end_lineno]
        return min(inside, key=lambda n: abs(n - line), default=None)


def truth(name):
    """For a conditional jump: the value with which it jumps; None for another instruction."""
    if "JUMP" not in name or "IF_" not in name:
        return None
    what = name.split("IF_", 1)[1]
    if what.startswith("NOT_NONE"):
        return True
    return what.startswith("TRUE")


class Coverage:
    """Notes which lines of some files ran since the last reset."""

    def __init__(self, lines):
        self.asked = [(line, self.path(line["file"])) for line in lines]
        self.sources, self.code, self.conditions = {}, [], []
        for line, path in self.asked:
            if path not in self.sources and os.path.exists(path):
                self.sources[path] = Source(path)
        wanted, seen = {}, set()
        for line, path in self.asked:
            source = self.sources.get(path)
            at = source and source.place(line["line"], line.get("removed", False))
            if not at:
                continue
            self.code.append((line, (path, at)))
            wanted.setdefault(path, set()).add(at)
            if not line.get("removed", False):
                self.jumps(line["file"], source, path, at, seen)
        self.wanted = {(path, line) for path, lines in wanted.items() for line in lines}
        # The functions that are traced, by file, name and first line.
        self.traced = {(p, c.co_name, c.co_firstlineno) for p in wanted for c in self.sources[p].functions if lines_of(c) & wanted[p]}
        self.at = {}  # offsets of conditional jumps, by function
        for k, c in enumerate(self.conditions):
            for key, offset, target, value in c["jumps"]:
                self.at.setdefault(key, {})[offset] = (k, target, value)
        self.known = {}  # of each code that was called: its file and its jumps, or None; and the code itself
        self.reset()

    def __enter__(self):
        threading.settrace(self.call)
        sys.settrace(self.call)

    def __exit__(self, *_):
        sys.settrace(None)
        threading.settrace(None)

    def about(self, code):
        """The file of a function that is traced, with its jumps."""
        path = os.path.realpath(code.co_filename)
        key = (path, code.co_name, code.co_firstlineno)
        return (path, self.at.get(key)) if key in self.traced else None

    @staticmethod
    def path(name):
        """The path of a file that the change names: folders around CODE may be a part of the name."""
        for k in range(name.count("/") + 1):
            path = os.path.join(CODE, *name.split("/")[k:])
            if os.path.exists(path):
                return os.path.realpath(path)
        return os.path.join(CODE, name)

    def jumps(self, name, source, path, line, seen):
        for code in source.functions:
            instructions = list(dis.get_instructions(code))
            for operand, i in zip(instructions, instructions[1:]):
                value = truth(i.opname)
                where = getattr(operand, "positions", None)
                if value is None or where is None or where.lineno is None or not where.lineno <= line <= where.end_lineno:
                    continue
                position = (path, where.lineno, where.col_offset, where.end_lineno, where.end_col_offset)
                if position not in seen:
                    seen.add(position)
                    text = source.text[where.lineno - 1][where.col_offset:where.end_col_offset if where.end_lineno == where.lineno else None]
                    self.conditions.append({"position": position, "jumps": [], "shown": {"file": name, "line": where.lineno, "column": where.col_offset + 1, "text": text}})
                one = next(c for c in self.conditions if c["position"] == position)
                one["jumps"].append(((path, code.co_name, code.co_firstlineno), i.offset, i.argval, value))

    def reset(self):
        self.ran, self.values = set(), set()

    def call(self, frame, event, _):
        code = frame.f_code
        found = self.known.get(id(code))
        if found is None:  # the code is kept, so that no other one gets its number
            found = self.known[id(code)] = (self.about(code), code)
        if found[0] is None:
            return None
        (path, at), last = found[0], None
        if at:
            frame.f_trace_opcodes = True

        def local(frame, event, _):
            nonlocal last
            if event == "line":
                if (path, frame.f_lineno) in self.wanted:
                    self.ran.add((path, frame.f_lineno))
            elif event == "opcode" and at:
                if last is not None:
                    k, target, value = last
                    self.values.add((k, value if frame.f_lasti == target else not value))
                last = at.get(frame.f_lasti)
            return local

        return local

    def answer(self):
        return {
            "code": [line for line, _ in self.code],
            "ran": [line for line, place in self.code if place in self.ran],
            "conditions": [{**c["shown"], "true": (k, True) in self.values, "false": (k, False) in self.values} for k, c in enumerate(self.conditions)],
        }


# What reads names of local variables, docstrings, or the text of the code: functions by their names,
# and attributes.
READERS = {"locals", "vars", "dir", "eval", "exec", "__doc__"}
READ = {"_getframe", "currentframe", "stack", "f_locals", "co_varnames", "__code__", "__doc__", "getdoc", "getsource"}


def shape(code, reads):
    """What a code does, with its local variables numbered. Names of parameters count."""
    parameters = code.co_argcount + code.co_kwonlyargcount + bool(code.co_flags & 4) + bool(code.co_flags & 8)
    keep = set(code.co_varnames[:parameters]) | set(code.co_freevars)
    numbers = {}

    def local(name):
        if reads or name in keep:
            return name
        return numbers.setdefault(name, len(numbers))

    instructions = [i for i in dis.get_instructions(code) if i.opname not in ("CACHE", "EXTENDED_ARG", "NOP")]
    index = {i.offset: k for k, i in enumerate(instructions)}
    offsets = sorted(index)

    def target(offset):
        return index[next((o for o in offsets if o >= offset), offsets[-1])]

    out = [(code.co_name, code.co_varnames[:parameters], code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags, len(code.co_cellvars))]
    for i in instructions:
        value = i.argval
        if isinstance(value, types.CodeType):
            value = shape(value, reads)
        elif i.opcode in dis.hasconst:
            value = constant(value)
        elif i.opcode in dis.haslocal or i.opcode in dis.hasfree:
            value = local(value) if code.co_flags & 2 else value
        elif i.opcode in dis.hasjrel or i.opcode in dis.hasjabs:
            value = target(value)
        out.append((i.opname, value))
    for e in getattr(dis, "_parse_exception_table", lambda _: [])(code):
        out.append(("handles", target(e.start), target(e.end), target(e.target), e.depth, e.lasti))
    return tuple(out)


def constant(value):
    """A constant with its type, so that 1, 1.0 and True differ."""
    if isinstance(value, (tuple, frozenset)):
        return (type(value).__name__, tuple(sorted(map(repr, map(constant, value))) if isinstance(value, frozenset) else map(constant, value)))
    return (type(value).__name__, repr(value))


def same(sides, lines):
    """Which lines do all as before: those of files whose functions and modules have one shape on
    both sides."""
    out, why, known = [], "", {}
    for line in lines:
        name = line["file"]
        if name not in known:
            paths = [os.path.join(sides[s], *name.split("/")) for s in ("before", "after")]
            try:
                known[name] = differing(*paths)
            except (OSError, SyntaxError, ValueError) as e:
                known[name] = str(e)
        found = known[name]
        if isinstance(found, str):
            why = why or "%s cannot be compared: %s" % (name, found)
            continue
        differs = found[0] if line.get("before") else found[1]
        number = line["line"] - 1 if line.get("removed") else line["line"]
        at = next((n for n in differs if n[1] <= number <= n[2]), None)
        if at is None:
            out.append(line)
        else:
            why = why or "%s:%d is in %s, whose instructions differ, and the kit for Python does not know what they write" % (name, line["line"], at[0])
    return {"lines": out, "why": why}


def differing(before, after):
    """The functions, and the module, that differ between two files: name, first and last line, for
    each side."""
    texts, trees = [], []
    for path in (before, after):
        with open(path, "rb") as f:
            texts.append(f.read())
        trees.append(ast.parse(texts[-1]))
    reads = any(getattr(n, "id", "") in READERS or getattr(n, "attr", "") in READ or getattr(n, "name", "") in READ for t in trees for n in ast.walk(t))
    spans = [functions(t) for t in trees]
    codes = [compile(t if reads else undocumented(t), before, "exec", dont_inherit=True) for t in trees]
    shapes = [dict(shapes_of(c, reads)) for c in codes]
    names = [n for n in set(shapes[0]) | set(shapes[1]) if shapes[0].get(n) != shapes[1].get(n)]
    out = ([], [])
    for k in (0, 1):
        for name in names:
            if name == "":
                out[k].append(("the module", 1, texts[k].count(b"\n") + 1))
            elif name in spans[k]:
                out[k].append((name, *spans[k][name]))
    return out


def undocumented(tree):
    """The tree without texts that are statements, such as docstrings."""
    for node in ast.walk(tree):
        for n in getattr(node, "body", []) if isinstance(getattr(node, "body", []), list) else []:
            if isinstance(n, ast.Expr) and isinstance(n.value, ast.Constant) and isinstance(n.value.value, str):
                n.value.value = ...
    return tree


def functions(tree, prefix=""):
    """The first and the last line of each function, by its name with those around it."""
    out = {}
    for node in ast.iter_child_nodes(tree):
        name = prefix
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            name = prefix + node.name + "."
            if not isinstance(node, ast.ClassDef):
                first = min([node.lineno] + [d.lineno for d in node.decorator_list])
                last = out.get(name[:-1], (first, 0))
                out[name[:-1]] = (min(first, last[0]), max(node.end_lineno, last[1]))
        for key, span in functions(node, name).items():
            have = out.get(key, span)
            out[key] = (min(span[0], have[0]), max(span[1], have[1]))
    return out


def shapes_of(module, reads):
    """The shape of each outermost function by name, and that of the rest of the module by ""."""
    rest = []

    def walk(code, prefix):
        named = []
        for c in code.co_consts:
            if isinstance(c, types.CodeType):
                if c.co_flags & 2:
                    named.append((prefix + c.co_name, shape(c, reads)))
                else:
                    named += walk(c, prefix + c.co_name + ".")
        rest.append((prefix, bare(code, reads)))
        return named

    groups = {}
    for name, s in walk(module, ""):
        groups.setdefault(name, []).append(s)
    yield from groups.items()
    yield "", rest


def bare(code, reads):
    """The shape of a module or class without its functions."""
    return tuple((op, "code" if isinstance(value, tuple) and value and isinstance(value[0], tuple) else value) for op, value, *_ in shape(code, reads)[1:])
