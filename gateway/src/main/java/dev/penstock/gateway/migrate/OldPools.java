package dev.penstock.gateway.migrate;

import dev.penstock.gateway.config.SpellingHint;
import dev.penstock.gateway.migrate.OldName.DroppedReasons;
import dev.penstock.gateway.migrate.OldName.OldUse;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Finds the pool and meaning of a property by its name, including its prefix. */
final class OldPools {
    private static final Pattern HYPHEN = Pattern.compile("-([a-z0-9])");
    private static final Pattern OF_HIBERNATE = Pattern.compile("hibernate\\..*|(jakarta|javax)\\.persistence\\..*");

    /** The c3p0 properties with names of their own in Hibernate. */
    private static final Map<String, OldName> OF_HIBERNATE_C3P0 = Map.of(
            "min_size", new OldName("min_size", OldUse.MIN),
            "max_size", new OldName("max_size", OldUse.MAX),
            "timeout", new OldName("timeout", OldUse.IDLE_SECONDS),
            "max_statements", new OldName("max_statements", OldUse.NONE, DroppedReasons.STATEMENTS),
            "idle_test_period", new OldName("idle_test_period", OldUse.NONE, DroppedReasons.KEPT_ALIVE),
            "acquire_increment", new OldName("acquire_increment", OldUse.NONE, DroppedReasons.ON_DEMAND),
            "validate", new OldName("validate", OldUse.NONE, DroppedReasons.VALIDATED));

    private static final Map<String, OldName> OF_CONNECTION = Map.ofEntries(
            Map.entry("url", new OldName("url", OldUse.URL)),
            Map.entry("username", new OldName("username", OldUse.USER)),
            Map.entry("user", new OldName("user", OldUse.USER)),
            Map.entry("password", new OldName("password", OldUse.PASSWORD)),
            Map.entry("pool_size", new OldName("pool_size", OldUse.MAX)),
            Map.entry("autocommit", new OldName("autocommit", OldUse.AUTO_COMMIT)),
            Map.entry("isolation", new OldName("isolation", OldUse.ISOLATION)),
            Map.entry("driver_class", new OldName("driver_class", OldUse.NONE, DroppedReasons.DRIVER_BY_URL)),
            Map.entry("driver", new OldName("driver", OldUse.NONE, DroppedReasons.DRIVER_BY_URL)),
            Map.entry("driver-class-name", new OldName("driver-class-name", OldUse.NONE, DroppedReasons.DRIVER_BY_URL)),
            Map.entry(
                    "provider_class",
                    new OldName(
                            "provider_class",
                            OldUse.NONE,
                            "set the GuardedDataSource as hibernate.connection.datasource")),
            Map.entry(
                    "datasource", new OldName("datasource", OldUse.NONE, "set the GuardedDataSource under this name")));

    private OldPools() {}

    /** The meaning of a property; null when it is not a property of a known pool. */
    static @Nullable OldName of(String name) {
        if (name.startsWith("hibernate.c3p0.")) {
            String rest = name.substring("hibernate.c3p0.".length());
            OldName own = OF_HIBERNATE_C3P0.get(rest);
            return own == null ? C3p0Names.ALL.get(rest) : own;
        }
        if (name.startsWith("hibernate.hikari.")) {
            return ofHikari(name.substring("hibernate.hikari.".length()));
        }
        if (name.startsWith("hibernate.connection.")) {
            String rest = name.substring("hibernate.connection.".length());
            OldName own = OF_CONNECTION.get(rest);
            return own == null ? new OldName(rest, OldUse.DRIVER) : own;
        }
        if (name.matches("(jakarta|javax)\\.persistence\\.jdbc\\..*")) {
            return OF_CONNECTION.get(name.substring(name.lastIndexOf('.') + 1));
        }
        if (name.startsWith("c3p0.")) {
            return C3p0Names.ALL.get(name.substring("c3p0.".length()));
        }
        if (name.startsWith("spring.datasource.hikari.")) {
            return ofHikari(camel(name.substring("spring.datasource.hikari.".length())));
        }
        if (name.startsWith("spring.datasource.")) {
            return OF_CONNECTION.get(name.substring("spring.datasource.".length()));
        }
        return ofHikari(name);
    }

    private static @Nullable OldName ofHikari(String name) {
        for (String before : List.of("dataSource.", "dataSourceProperties.", "data-source-properties.")) {
            if (name.startsWith(before)) {
                return ofDataSource(name.substring(before.length()));
            }
        }
        if (name.startsWith("healthCheck")) {
            return HikariNames.ALL.get("healthCheckProperties");
        }
        return HikariNames.ALL.get(name);
    }

    private static OldName ofDataSource(String rest) {
        return switch (rest) {
            case "user" -> new OldName(rest, OldUse.USER);
            case "password" -> new OldName(rest, OldUse.PASSWORD);
            case "url", "URL" -> new OldName(rest, OldUse.URL);
            default -> new OldName(rest, OldUse.DRIVER);
        };
    }

    /** Spring uses {@code maximum-pool-size} for {@code maximumPoolSize}. */
    private static String camel(String name) {
        if (name.startsWith("data-source-properties.")) {
            return name;
        }
        return HYPHEN.matcher(name).replaceAll(match -> match.group(1).toUpperCase(Locale.ROOT));
    }

    /** Whether the name can only be a property of a pool; the SDK has a {@code password} too. */
    static boolean isPoolProperty(String name) {
        OldName known = of(name);
        return known != null && (name.contains(".") || known.use() != OldUse.PASSWORD);
    }

    /** Whether it is a Hibernate property. */
    static boolean isOfHibernate(String name) {
        return OF_HIBERNATE.matcher(name).matches();
    }

    /** The probably intended name, with its prefix. */
    static Optional<String> near(String name) {
        int last = name.lastIndexOf('.') + 1;
        List<String> all = new ArrayList<>(OF_HIBERNATE_C3P0.keySet());
        Stream.of(HikariNames.ALL, C3p0Names.ALL, OF_CONNECTION)
                .flatMap(names -> names.keySet().stream())
                .forEach(all::add);
        return SpellingHint.of(camel(name.substring(last)), all).map(word -> name.substring(0, last) + word);
    }
}
