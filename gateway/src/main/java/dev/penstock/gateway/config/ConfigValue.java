package dev.penstock.gateway.config;

import dev.penstock.Durations;
import dev.penstock.Sizes;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/**
 * One value of the file under its name, to be read as one type or another. Each reading method gives null after telling
 * what is wrong. Messages show a value as the file has it, never what a placeholder was filled in with.
 */
final class ConfigValue {
    private final ReadContext reading;
    private final String name;
    private final String key;
    private final FileLocation keyPlace;
    private final Node node;
    private final boolean placeholder;
    private final @Nullable String filled;

    /**
     * A value.
     *
     * @param prefix what stands before its key in messages, for instance {@code retry.}
     * @param key its key
     * @param keyPlace where its key is written
     */
    ConfigValue(ReadContext reading, String prefix, String key, FileLocation keyPlace, Node node) {
        this.reading = reading;
        this.key = key;
        this.name = prefix + Quoted.plain(key);
        this.keyPlace = keyPlace;
        this.node = node;
        this.placeholder = node instanceof ScalarNode scalar && Placeholders.in(scalar.getValue());
        this.filled = node instanceof ScalarNode scalar ? fill(scalar) : null;
    }

    private @Nullable String fill(ScalarNode scalar) {
        if (!placeholder) {
            return scalar.getValue();
        }
        return reading.placeholders().fill(scalar.getValue(), YamlTree.place(node), reading.problems());
    }

    String name() {
        return name;
    }

    /** The key itself. */
    String key() {
        return key;
    }

    FileLocation keyPlace() {
        return keyPlace;
    }

    FileLocation place() {
        return YamlTree.place(node);
    }

    /** Whether it is this word, for instance {@code auto}. */
    boolean is(String word) {
        return word.equals(filled);
    }

    boolean isMapping() {
        return node instanceof MappingNode;
    }

    /** Tells that something is wrong with this value; for what only its reader can know. */
    void refuse(String what, String remedy) {
        reading.problems().add(place(), "'" + name + "' " + what + "; " + remedy);
    }

    /** As {@link #refuse}, after the value as the file shows it. */
    void refuseShown(String what, String remedy) {
        refuse("is " + shown() + ", " + what, remedy);
    }

    /** The value as a person may see it. */
    String shown() {
        String raw = node instanceof ScalarNode scalar ? scalar.getValue() : "";
        if (placeholder) {
            return Quoted.of(raw) + " filled in";
        }
        return isText() ? Quoted.of(raw) : Quoted.plain(raw);
    }

    /** A mapping whose parts are named after it in messages. */
    @Nullable
    ConfigMapping mapping(Keys keys, String example) {
        return mapping(keys, name + ".", example);
    }

    /** A mapping whose parts are named by themselves: the place already tells which flow they are of. */
    @Nullable
    ConfigMapping unnamed(Keys keys, String example) {
        return mapping(keys, "", example);
    }

    private @Nullable ConfigMapping mapping(Keys keys, String prefix, String example) {
        if (node instanceof MappingNode mapping) {
            return new ConfigMapping(reading, mapping, keys, prefix, keyPlace);
        }
        refuse("must be a mapping, but this is " + kind(), "write for instance " + example);
        return null;
    }

    /** The mapping that is the whole file. */
    @Nullable
    ConfigMapping top(Keys keys) {
        if (node instanceof MappingNode mapping) {
            return new ConfigMapping(reading, mapping, keys, "", FileLocation.START);
        }
        reading.problems().add(place(), "the file must be a mapping, but this is " + kind() + "; begin with flows:");
        return null;
    }

    @Nullable
    String text() {
        if (!(node instanceof ScalarNode) || isNull()) {
            refuse("must be text, but this is " + kind(), "write one value behind the colon");
            return null;
        }
        return filled;
    }

    @Nullable
    Integer whole(int least, int most) {
        return whole(least, most, "");
    }

    /**
     * A whole number.
     *
     * @param otherwise what else may be written here, for the message; empty for nothing else
     */
    @Nullable
    Integer whole(int least, int most, String otherwise) {
        String remedy = "write a number from " + least + " to " + most + (otherwise.isEmpty() ? "" : ", " + otherwise);
        if (!(node instanceof ScalarNode) || isNull() || (isText() && !placeholder)) {
            boolean quoted = !isNull()
                    && node instanceof ScalarNode digits
                    && digits.getValue().matches("\\d+");
            refuse("must be a whole number, but this is " + kind(), quoted ? "take the quotes away" : remedy);
            return null;
        }
        if (filled == null) {
            return null;
        }
        if (!filled.matches("-?\\d+")) {
            refuseShown("which is no whole number", remedy);
            return null;
        }
        // Ten digits and more are far out of any range here, and would not fit a long sooner or later.
        long number = filled.length() > 12 ? Long.MAX_VALUE : Long.parseLong(filled);
        if (number < least || number > most) {
            refuseShown("which is out of range", remedy);
            return null;
        }
        return (int) number;
    }

    @Nullable
    Boolean yesOrNo() {
        if (is("true") || is("false")) {
            return is("true");
        }
        if (filled != null || !placeholder) {
            refuse("must be true or false, but this is " + kind(), "write true, or leave it out");
        }
        return null;
    }

    @Nullable
    Duration duration(DurationRange span) {
        String written = scalar("a duration", "write for instance 200ms, 2s or 5m");
        if (written == null) {
            return null;
        }
        if (written.matches("\\d{1,9}") && !written.equals("0")) {
            refuseShown(
                    "which has no unit",
                    "write for instance " + (placeholder ? "2s or 200ms" : written + "s or " + written + "ms"));
            return null;
        }
        Duration duration;
        try {
            duration = Durations.parse(written);
        } catch (IllegalArgumentException none) {
            refuseShown("which is no duration", "write a number and a unit, for instance 200ms, 2s, 5m or 1h");
            return null;
        }
        if (!span.contains(duration)) {
            refuseShown("which is out of range", "write a duration from " + span.least() + " to " + span.most());
            return null;
        }
        return duration;
    }

    @Nullable
    Long size(String least, String most) {
        return size(least, most, false);
    }

    /** As {@link #size}; a number without a unit is a number of bytes. */
    @Nullable
    Long sizeOrBytes(String least, String most) {
        return size(least, most, true);
    }

    private @Nullable Long size(String least, String most, boolean bytesWithoutUnit) {
        String written = scalar("a size", "write for instance 64KB or 1MB");
        if (written == null) {
            return null;
        }
        Long bytes = Sizes.parse(bytesWithoutUnit && written.matches("\\d{1,9}") ? written + "B" : written);
        if (bytes == null) {
            refuseShown("which is no size", "write a number and a unit, for instance 512B, 64KB or 1MB");
        } else if (bytes < bytes(least) || bytes > bytes(most)) {
            refuseShown("which is out of range", "write a size from " + least + " to " + most);
            return null;
        }
        return bytes;
    }

    /** A size that this program, not a user, wrote. */
    static long bytes(String written) {
        return Objects.requireNonNull(Sizes.parse(written), written);
    }

    private @Nullable String scalar(String wanted, String remedy) {
        if (node instanceof ScalarNode && !isNull()) {
            return filled;
        }
        refuse("must be " + wanted + ", but this is " + kind(), remedy);
        return null;
    }

    boolean isNull() {
        return node.getTag().equals(Tag.NULL);
    }

    private boolean isText() {
        return node.getTag().equals(Tag.STR);
    }

    /** What it is, as far as the file shows: a list, a mapping, empty, a text... */
    String kind() {
        return switch (node) {
            case MappingNode mapping -> "a mapping";
            case SequenceNode sequence -> "a list";
            default -> isNull() ? "empty" : isText() ? "the text " + shown() : shown();
        };
    }
}
