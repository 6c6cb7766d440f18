package dev.penstock.migrate;

import dev.penstock.gateway.config.ConfigProblems;
import dev.penstock.gateway.config.Quoted;
import dev.penstock.migrate.Table.Row;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The properties of a file as the SDK reads them: the last of equal names counts, and a name prefixed with the merchant
 * id and a dot overrides the plain one. An invalid value is reported and replaced by a valid one. Not thread-safe.
 */
final class SdkProperties {
    static final Table TABLE = Table.of("sdk");
    private static final String POOLED = "useHttpClientWithConnectionPool";
    private static final Map<String, String> ALL = Map.of("sdk", "", "checked", "", "pool", "");

    private final List<PropertyLine> all;
    private final ConfigProblems problems;
    private final Map<String, PropertyLine> effective = new LinkedHashMap<>();
    private final Set<PropertyLine> used = new HashSet<>();
    private final Set<String> refused = new HashSet<>();

    SdkProperties(List<PropertyLine> all, ConfigProblems problems) {
        this.all = all;
        this.problems = problems;
        all.forEach(property -> effective.put(property.name(), property));
        String merchant = rawValue("merchantID");
        if (merchant != null && !merchant.isEmpty()) {
            String prefix = merchant + ".";
            all.stream()
                    .filter(property -> property.name().startsWith(prefix))
                    .forEach(property -> effective.put(property.name().substring(prefix.length()), property));
        }
    }

    /** Whether any of them is a property of the SDK. */
    boolean isSdk() {
        return effective.keySet().stream().anyMatch(name -> TABLE.row(name) != null);
    }

    boolean has(String name) {
        return effective.containsKey(name);
    }

    /** Whether it is present and not empty. */
    boolean hasValue(String name) {
        String value = rawValue(name);
        return value != null && !value.isEmpty();
    }

    @Nullable
    String rawValue(String name) {
        PropertyLine property = effective.get(name);
        return property == null ? null : property.value();
    }

    @Nullable
    String value(String name) {
        String value = rawValue(name);
        return value == null ? null : value.strip();
    }

    /** True or false in the notation of the SDK, which includes 1 and 0. */
    boolean flag(String name) {
        String value = value(name);
        if (value == null) {
            return Boolean.parseBoolean(row(name).fallback());
        }
        if (!value.matches("0|1|(?i:true|false)")) {
            refuse(name, "is " + Quoted.of(value) + ", which is neither true nor false; write one of them");
        }
        return value.matches("1|(?i:true)");
    }

    /** A whole number of 32 bits. */
    int whole(String name) {
        String value = value(name);
        String fallback = row(name).fallback();
        if (value != null) {
            try {
                return Integer.parseInt(value);
            } catch (NumberFormatException none) {
                String is = value.isEmpty()
                        ? "is empty"
                        : "is " + Quoted.of(value) + ", which is not a whole number up to 2147483647";
                refuse(name, is + "; write for instance " + fallback);
            }
        }
        return Integer.parseInt(fallback);
    }

    /** A positive number that the SDK requires. */
    int required(String name) {
        int number = whole(name);
        if (!has(name)) {
            missing(name);
        } else if (number <= 0) {
            refuse(
                    name,
                    "is " + number + ", but must be greater than 0; write for instance "
                            + row(name).fallback());
        }
        return number;
    }

    private void missing(String name) {
        for (PropertyLine property : all) {
            if (TABLE.row(property.name()) == null
                    && TABLE.near(property.name(), ALL).filter(name::equals).isPresent()) {
                problems.add(
                        property.location(),
                        "'" + Quoted.plain(property.name()) + "' is not a property of the SDK; did you mean '" + name
                                + "', which is missing?");
                return;
            }
        }
        refuse(
                name,
                "is missing, but required by the SDK with " + POOLED + "=true; add for instance " + name + "="
                        + row(name).fallback());
    }

    /** Reports the first problem of a property, with its remedy. */
    void refuse(String name, String text) {
        PropertyLine property = effective.get(name);
        if (!refused.add(name)) {
            return;
        }
        if (property == null) {
            problems.add("'" + name + "' " + text);
        } else {
            problems.add(property.location(), "'" + name + "' " + text);
        }
    }

    /** The origin of values that are written, for comments. */
    String from(String... names) {
        return Arrays.stream(names).map(this::from).collect(Collectors.joining(", "));
    }

    private String from(String name) {
        PropertyLine property = effective.get(name);
        if (property == null) {
            return name + "=" + row(name).fallback() + ", the SDK's default";
        }
        used.add(property);
        return property.named(
                row(name).unit().equals("hidden")
                        ? name
                        : name + "=" + property.value().strip());
    }

    static boolean isHostAndPort(String text) {
        try {
            URI url = new URI("http://" + text);
            return url.getHost() != null && text.equals(url.getRawAuthority());
        } catch (URISyntaxException none) {
            return false;
        }
    }

    private static Row row(String name) {
        return Objects.requireNonNull(TABLE.row(name), name);
    }

    /** Reports what became of each property; an unknown name may be part of a secret. */
    void drop(Leftovers leftovers) {
        for (PropertyLine property : all) {
            if (used.contains(property)) {
                leftovers.use(property);
                continue;
            }
            Row row = effective.entrySet().stream()
                    .filter(entry -> entry.getValue().equals(property))
                    .map(entry -> TABLE.row(entry.getKey()))
                    .filter(Objects::nonNull)
                    .findFirst()
                    .orElse(null);
            if (row == null) {
                leftovers.dropUnknown(property, unknown(property.name()));
            } else if (row.section().equals("pool") && !flag(POOLED)) {
                leftovers.drop(property, "not effective: " + POOLED + " is not true");
            } else {
                leftovers.drop(property, row.note());
            }
        }
    }

    private static String unknown(String name) {
        if (TABLE.row(name) != null) {
            return "another line takes precedence, a later one or the merchant's own";
        }
        return TABLE.row(name.substring(name.lastIndexOf('.') + 1)) != null
                ? "for another merchant; define a separate flow for it"
                : "unknown to SDK 6.2.15, which ignores it too";
    }
}
