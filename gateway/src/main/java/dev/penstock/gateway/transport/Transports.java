package dev.penstock.gateway.transport;

import dev.penstock.gateway.config.Keys;
import java.util.HashSet;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The transports of this process.
 *
 * @param all in the order of the class path
 */
public record Transports(List<Transport> all) {
    /**
     * Finds them with the class loader of this thread, which knows the jars of {@code lib}.
     *
     * @throws IllegalArgumentException one cannot be loaded, or two have the same key; the message says what to do
     */
    public static Transports load() {
        try {
            Transports found = new Transports(ServiceLoader.load(Transport.class).stream()
                    .map(ServiceLoader.Provider::get)
                    .toList());
            found.requireUnique(found.sourceKeys());
            found.requireUnique(found.targetKeys());
            return found;
        } catch (ServiceConfigurationError | LinkageError unfit) {
            throw new IllegalArgumentException(
                    "a transport cannot be loaded: " + unfit.getMessage()
                            + "; put all jars it needs beside it, in versions for Java 25",
                    unfit);
        }
    }

    private void requireUnique(Keys keys) {
        Set<String> seen = new HashSet<>();
        for (String key : keys.known()) {
            if (!seen.add(key)) {
                throw new IllegalArgumentException(
                        "two transports have the key '" + key + "' in '" + keys.where() + "'; remove the jar of one");
            }
        }
    }

    /** The keys of {@code from}. A target that is no source is a reserved word. */
    public Keys sourceKeys() {
        return keys("from", Transport::sourceKeys, Transport::targetKeys);
    }

    /** The keys of {@code to}. */
    public Keys targetKeys() {
        return keys("to", Transport::targetKeys, Transport::sourceKeys);
    }

    private Keys keys(String where, Function<Transport, String> own, Function<Transport, String> other) {
        String[] later = all.stream()
                .filter(transport -> own.apply(transport).isEmpty())
                .flatMap(transport -> Keys.of(where, other.apply(transport)).known().stream())
                .toArray(String[]::new);
        return Keys.of(
                        where,
                        all.stream().map(own).filter(keys -> !keys.isEmpty()).collect(Collectors.joining(", ")))
                .later(later);
    }

    /** The transport with a key in {@code from}. */
    public Transport ofSource(String key) {
        return of(key, Transport::sourceKeys);
    }

    /** The transport with a key in {@code to}. */
    public Transport ofTarget(String key) {
        return of(key, Transport::targetKeys);
    }

    private Transport of(String key, Function<Transport, String> keys) {
        return all.stream()
                .filter(transport -> Keys.of("", keys.apply(transport)).known().contains(key))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no transport has the key '" + key + "'"));
    }
}
