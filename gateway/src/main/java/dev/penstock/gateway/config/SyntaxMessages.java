package dev.penstock.gateway.config;

import java.util.List;
import java.util.Optional;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;

/** Translates errors of the YAML parser into messages with a remedy. */
final class SyntaxMessages {
    /** Parts of parser errors and what to do about them; the first match is used. */
    private static final List<Remedy> REMEDIES = List.of(
            new Remedy("\\t(TAB)", "indent with spaces, not tabs"),
            new Remedy(
                    "mapping values are not allowed here",
                    "check the indentation of this line, and put quotes around text that contains ': '"),
            new Remedy("but got {", "put quotes around a value that contains braces, for instance \"${NAME}\""),
            new Remedy(
                    "undefined alias",
                    "define the anchor (&name) before its alias (*name), or put quotes around the value"),
            new Remedy("cannot start any token", "put quotes around the value"),
            new Remedy("unexpected end of stream", "close the quote that is open here"),
            new Remedy("<stream end>", "close the bracket that is open here"),
            new Remedy("expected <block end>", "check the indentation: keys of one mapping begin in the same column"));

    private record Remedy(String of, String words) {}

    private SyntaxMessages() {}

    /** The location of the mistake. For an unclosed bracket or quote: where it begins, not the end of the file. */
    static Optional<Mark> mark(MarkedYamlEngineException syntax) {
        boolean open = String.valueOf(syntax.getProblem()).matches(".*(unexpected end of stream|<stream end>).*");
        Optional<Mark> problem = syntax.getProblemMark();
        Optional<Mark> context = syntax.getContextMark();
        return open ? context.or(() -> problem) : problem.or(() -> context);
    }

    static String of(MarkedYamlEngineException syntax) {
        String problem = String.valueOf(syntax.getProblem());
        String remedy = REMEDIES.stream()
                .filter(known -> problem.contains(known.of()))
                .map(Remedy::words)
                .findFirst()
                .orElse("check the indentation and the quotes around here");
        String plain = problem.replaceAll("\\.? \\(Do not use .*\\)", "")
                .replaceAll("'?\\\\t\\(TAB\\)'?", "a tab")
                .replaceAll("\\.$", "");
        return "invalid YAML: " + Quoted.plain(plain) + "; " + remedy;
    }
}
