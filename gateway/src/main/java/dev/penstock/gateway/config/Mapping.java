package dev.penstock.gateway.config;

import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;

/** A mapping of the file: its keys checked, its values by name. Whatever is wrong is told, and a default stands in for it. */
final class Mapping {
    private final Reading reading;
    private final Keys keys;
    private final String prefix;
    private final Place place;
    private final Map<String, Value> values = new LinkedHashMap<>();

    /**
     * Checks the keys of a mapping.
     *
     * @param keys which it may have
     * @param prefix what stands before a key in messages, for instance {@code retry.}
     * @param place where its own key is written
     */
    Mapping(Reading reading, MappingNode node, Keys keys, String prefix, Place place) {
        this.reading = reading;
        this.keys = keys;
        this.prefix = prefix;
        this.place = place;
        for (NodeTuple entry : node.getValue()) {
            add(entry.getKeyNode(), entry.getValueNode());
        }
    }

    private void add(Node keyNode, Node valueNode) {
        Place at = YamlTree.place(keyNode);
        if (!(keyNode instanceof ScalarNode scalar)) {
            reading.problems().add(at, "a key of " + keys.where() + " is a collection; keys are plain words");
            return;
        }
        String key = scalar.getValue();
        Value earlier = values.get(key);
        if (earlier != null) {
            reading.problems()
                    .add(
                            at,
                            "key '" + Quoted.plain(key) + "' is written twice in " + keys.where() + ", first in line "
                                    + earlier.keyPlace().line() + "; keep one of them");
        } else if (keys.has(key)) {
            values.put(key, new Value(reading, prefix, key, at, valueNode));
        } else {
            reading.problems().add(at, keys.refusal(key));
        }
    }

    /** Tells that something is wrong with the mapping as a whole. */
    void refuse(String text) {
        reading.problems().add(place, text);
    }

    Collection<Value> values() {
        return values.values();
    }

    /** The value of a key, or null when the mapping does not have it. */
    @Nullable
    Value get(String key) {
        return values.get(key);
    }

    /** The value of a key, or null after telling that it is missing, with an example of what to write. */
    @Nullable
    Value required(String key, String example) {
        Value value = values.get(key);
        if (value == null) {
            reading.problems().add(place, keys.where() + " has no '" + key + "'; add for instance " + example);
        }
        return value;
    }

    Chosen<Integer> whole(String key, int fallback, int least, int most) {
        return read(key, fallback, value -> value.whole(least, most));
    }

    Chosen<Duration> duration(String key, String fallback, Span span) {
        return duration(key, Span.time(fallback), span);
    }

    Chosen<Duration> duration(String key, Duration fallback, Span span) {
        return read(key, fallback, value -> value.duration(span));
    }

    Chosen<Boolean> yesOrNo(String key, boolean fallback) {
        return read(key, fallback, Value::yesOrNo);
    }

    Chosen<Long> size(String key, String fallback, String least, String most) {
        return read(key, Value.bytes(fallback), value -> value.size(least, most));
    }

    Chosen<String> text(String key, String fallback) {
        return read(key, fallback, Value::text);
    }

    <T> Chosen<T> read(String key, T fallback, Function<Value, @Nullable T> as) {
        Value value = values.get(key);
        T read = value == null ? null : as.apply(value);
        return value == null || read == null ? Chosen.byDefault(fallback) : Chosen.inFile(read, value.place());
    }

    /** A value, or null when the mapping does not have it or it could not be read. */
    <T> @Nullable Chosen<T> ifGiven(String key, Function<Value, @Nullable T> as) {
        Value value = values.get(key);
        T read = value == null ? null : as.apply(value);
        return value == null || read == null ? null : Chosen.inFile(read, value.place());
    }

    /** As {@link #ifGiven}; null too when the mapping leaves it to Penstock with {@code auto}. */
    <T> @Nullable Chosen<T> unlessAuto(String key, Function<Value, @Nullable T> as) {
        return ifGiven(key, value -> value.is("auto") ? null : as.apply(value));
    }
}
