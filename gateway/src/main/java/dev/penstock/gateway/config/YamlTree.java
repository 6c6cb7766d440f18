package dev.penstock.gateway.config;

import java.util.Iterator;
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
 * Text to YAML nodes that know their line and column (YAML 1.2, core schema). Nothing is constructed from the nodes here, so
 * a tag can name no class, and aliases share their node instead of copying it.
 */
final class YamlTree {
    /** Collections inside of collections; a flow file needs 6. */
    private static final int DEEPEST = 32;

    private static final int MOST_ALIASES = 100;

    private static final String STANDARD_TAGS = "tag:yaml\\.org,2002:(str|int|float|bool|null|map|seq)";

    private static final LoadSettings SETTINGS = LoadSettings.builder()
            .setSchema(new CoreSchema())
            .setAllowDuplicateKeys(false)
            .setAllowNonScalarKeys(true)
            .setAllowRecursiveKeys(false)
            .setMaxAliasesForCollections(MOST_ALIASES)
            .setCodePointLimit(FileText.MOST_BYTES)
            .setUseMarks(true)
            .build();

    private static final Pattern BAD_ESCAPE = Pattern.compile("\\\\(U[89A-Fa-f]|[xuU]\\z)");

    private YamlTree() {}

    /** The one document of a text, or null after telling why there is none. */
    static @Nullable Node of(String text, ConfigProblems problems) {
        try {
            if (!looksSound(text, problems)) {
                return null;
            }
            Iterator<Node> documents =
                    new Compose(SETTINGS).composeAllFromString(text).iterator();
            if (documents.hasNext()) {
                return documents.next();
            }
            problems.add(FileLocation.START, "the file is empty; begin with flows:");
        } catch (MarkedYamlEngineException syntax) {
            FileLocation place = SyntaxMessages.mark(syntax).map(YamlTree::place).orElse(FileLocation.START);
            problems.add(place, SyntaxMessages.of(syntax));
        } catch (ReaderException control) {
            FileLocation place = FileText.endOf(text.substring(0, text.offsetByCodePoints(0, control.getPosition())));
            problems.add(place, "there is a control character here; take it out");
        } catch (NumberFormatException escape) {
            // snakeyaml-engine 3.2 checks neither for the end of the file nor for numbers beyond 31 bits.
            Matcher bad = BAD_ESCAPE.matcher(text);
            problems.add(
                    bad.find() ? FileText.endOf(text.substring(0, bad.start())) : FileLocation.START,
                    "this \\x, \\u or \\U is not followed by the number of a character; put the text in single quotes");
        } catch (YamlEngineException bounded) {
            problems.add(
                    FileLocation.START,
                    "this YAML is not accepted: " + Quoted.plain(String.valueOf(bounded.getMessage()))
                            + "; write it more plainly");
        }
        return null;
    }

    /** Refuses what would make composing costly or unclear: deep nesting, or a second document. */
    private static boolean looksSound(String text, ConfigProblems problems) {
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
                problems.add(place(event), "the tag " + Quoted.plain(tag) + " means nothing here; leave it out");
                return false;
            }
            if (depth > DEEPEST) {
                problems.add(
                        place(event),
                        "collections are nested more than " + DEEPEST + " deep; a flow file needs 6 at most");
                return false;
            }
            if (documents > 1) {
                problems.add(
                        place(event), "a second document begins here; a flow file is one document, take out the ---");
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

    private static FileLocation place(Event event) {
        return event.getStartMark().map(YamlTree::place).orElse(FileLocation.START);
    }

    private static FileLocation place(Mark mark) {
        return new FileLocation(mark.getLine() + 1, mark.getColumn() + 1);
    }

    /** Where a node begins. */
    static FileLocation place(Node node) {
        return node.getStartMark().map(YamlTree::place).orElse(FileLocation.START);
    }
}
