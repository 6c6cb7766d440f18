package dev.penstock.gateway.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.ReaderException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.schema.CoreSchema;

/**
 * Parses text to YAML nodes with line and column (YAML 1.2, core schema). No Java objects are constructed from the
 * nodes, so a tag cannot name a class. Aliases share their node instead of copying it.
 */
public final class YamlTree {
    /** The maximum nesting of collections; a flow file needs 6. */
    private static final int MAX_DEPTH = 32;

    private static final int MAX_ALIASES = 100;

    private static final String STANDARD_TAGS = "tag:yaml\\.org,2002:(str|int|float|bool|null|map|seq)";

    private static final LoadSettings SETTINGS = LoadSettings.builder()
            .setSchema(new CoreSchema())
            .setAllowDuplicateKeys(false)
            .setAllowNonScalarKeys(true)
            .setAllowRecursiveKeys(false)
            .setMaxAliasesForCollections(MAX_ALIASES)
            .setCodePointLimit(FileText.MAX_BYTES)
            .setUseMarks(true)
            .build();

    private static final Pattern BAD_ESCAPE = Pattern.compile("\\\\(U[89A-Fa-f]|[xuU]\\z)");

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

    private YamlTree() {}

    /** The single document of a text. Reports problems and returns null. */
    static @Nullable Node of(String text, ConfigProblems problems) {
        List<Node> documents = documents(text, 1, problems);
        return documents.isEmpty() ? null : documents.getFirst();
    }

    /** All documents of a text. Reports problems and returns none. */
    public static List<Node> documents(String text, ConfigProblems problems) {
        return documents(text, Integer.MAX_VALUE, problems);
    }

    private static List<Node> documents(String text, int max, ConfigProblems problems) {
        try {
            if (!isAccepted(text, max, problems)) {
                return List.of();
            }
            List<Node> documents = new ArrayList<>();
            new Compose(SETTINGS).composeAllFromString(text).forEach(documents::add);
            if (documents.isEmpty()) {
                problems.add(FileLocation.START, "the file is empty; begin with flows:");
            }
            return documents;
        } catch (MarkedYamlEngineException syntax) {
            FileLocation location = mark(syntax).map(YamlTree::location).orElse(FileLocation.START);
            problems.add(location, message(syntax));
        } catch (ReaderException control) {
            FileLocation location =
                    FileText.endOf(text.substring(0, text.offsetByCodePoints(0, control.getPosition())));
            problems.add(location, "invalid control character; remove it");
        } catch (NumberFormatException escape) {
            // In escapes, snakeyaml-engine 3.2 does not check for the end of the file or for numbers beyond 31 bits.
            Matcher bad = BAD_ESCAPE.matcher(text);
            problems.add(
                    bad.find() ? FileText.endOf(text.substring(0, bad.start())) : FileLocation.START,
                    "\\x, \\u or \\U is not followed by the code of a character; put the text in single quotes");
        } catch (YamlEngineException bounded) {
            problems.add(
                    FileLocation.START,
                    "this YAML is not accepted: " + Quoted.plain(String.valueOf(bounded.getMessage()))
                            + "; simplify it");
        }
        return List.of();
    }

    /** Rejects unknown tags, deep nesting, and more than {@code max} documents. */
    private static boolean isAccepted(String text, int max, ConfigProblems problems) {
        int depth = 0;
        int documents = 0;
        for (Event event : new Parse(SETTINGS).parseString(text)) {
            switch (event.getEventId()) {
                case MappingStart, SequenceStart -> depth++;
                case MappingEnd, SequenceEnd -> depth--;
                case DocumentStart -> documents++;
                default -> {}
            }
            String tag = unknownTag(event);
            if (tag != null) {
                problems.add(location(event), "unknown tag " + Quoted.plain(tag) + "; remove it");
                return false;
            }
            if (depth > MAX_DEPTH) {
                problems.add(
                        location(event),
                        "collections are nested more than " + MAX_DEPTH + " deep; a flow file needs 6 at most");
                return false;
            }
            if (documents > max) {
                problems.add(location(event), "a second document begins here, but a flow file has one; remove the ---");
                return false;
            }
        }
        return true;
    }

    private static @Nullable String unknownTag(Event event) {
        String tag = switch (event) {
            case ScalarEvent scalar -> scalar.getTag().orElse(null);
            case CollectionStartEvent collection -> collection.getTag().orElse(null);
            default -> null;
        };
        return tag == null || tag.equals("!") || tag.matches(STANDARD_TAGS) ? null : tag;
    }

    private static FileLocation location(Event event) {
        return event.getStartMark().map(YamlTree::location).orElse(FileLocation.START);
    }

    private static FileLocation location(Mark mark) {
        return new FileLocation(mark.getLine() + 1, mark.getColumn() + 1);
    }

    /** Where a node begins. */
    public static FileLocation location(Node node) {
        return node.getStartMark().map(YamlTree::location).orElse(FileLocation.START);
    }

    /** The location of the mistake. For an unclosed bracket or quote: where it begins, not the end of the file. */
    private static Optional<Mark> mark(MarkedYamlEngineException syntax) {
        boolean open = String.valueOf(syntax.getProblem()).matches(".*(unexpected end of stream|<stream end>).*");
        Optional<Mark> problem = syntax.getProblemMark();
        Optional<Mark> context = syntax.getContextMark();
        return open ? context.or(() -> problem) : problem.or(() -> context);
    }

    /** The message of a parser error, with a remedy. */
    private static String message(MarkedYamlEngineException syntax) {
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
