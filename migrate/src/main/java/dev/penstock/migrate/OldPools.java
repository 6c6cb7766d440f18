package dev.penstock.migrate;

import dev.penstock.gateway.config.SpellingHint;
import dev.penstock.migrate.OldName.DroppedReasons;
import dev.penstock.migrate.OldName.OldUse;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Finds the pool and meaning of a property by its name, including its prefix. */
final class OldPools {
    private static final Pattern HYPHEN = Pattern.compile("-([a-z0-9])");
    private static final String SPRING_JPA = "spring.jpa.properties.";

    /** Names of properties, and elements of hibernate.cfg.xml and persistence.xml. */
    private static final Pattern OF_HIBERNATE = Pattern.compile(
            "(hibernate|spring\\.jpa|(jakarta|javax)\\.persistence|persistence(-unit)?|mapping|class|event|listener|session-factory"
                    + "|(class|collection)-cache|security|grant)\\..*"
                    + "|class|provider|description|jar-file|mapping-file|exclude-unlisted-classes|(shared-cache|validation)-mode");

    private static final Pattern OF_POOL = Pattern.compile(
            "(spring\\.jpa\\.properties\\.)?(hibernate\\.)?(c3p0|hikari|connection)\\.[\\w-]+|spring\\.datasource\\.(hikari\\.)?[\\w-]+");

    private static final Pattern OF_APPLICATION =
            Pattern.compile("(spring|server|management|logging|info|eureka|springdoc|feign|ribbon|zuul|app)\\..*");

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

    private static final Map<String, OldName> OF_SPRING = Stream.of(
                    new OldName("jdbc-url", OldUse.URL),
                    new OldName(
                            "jndi-name",
                            OldUse.NONE,
                            "use the URL instead; GuardedDataSource.over(dataSource, name) accepts any other data source"),
                    new OldName("type", OldUse.NONE, "declare the GuardedDataSource as the bean of the data source"),
                    new OldName("name", OldUse.NONE, DroppedReasons.METRICS))
            .collect(Collectors.toMap(OldName::name, name -> name));

    /** The data sources that a container gives to a persistence unit. */
    private static final Map<String, OldName> OF_PERSISTENCE = Stream.of("jta-data-source", "non-jta-data-source")
            .collect(Collectors.toMap(
                    name -> name, name -> new OldName(name, OldUse.NONE, "set the GuardedDataSource under this name")));

    private OldPools() {}

    /** The meaning of a property; null when it is not a property of a known pool. */
    static @Nullable OldName of(String written) {
        String name = written.startsWith(SPRING_JPA) ? written.substring(SPRING_JPA.length()) : written;
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
            String rest = name.substring("c3p0.".length());
            OldName own = C3p0Names.ALL.get(rest);
            return own == null ? OF_HIBERNATE_C3P0.get(rest) : own;
        }
        if (name.startsWith("spring.datasource.hikari.")) {
            return ofHikari(camel(name.substring("spring.datasource.hikari.".length())));
        }
        if (name.startsWith("spring.datasource.")) {
            return ofSpring(name.substring("spring.datasource.".length()));
        }
        OldName ofElement = OF_PERSISTENCE.get(name);
        if (ofElement != null) {
            return ofElement;
        }
        return ofHikari(name);
    }

    /** Spring takes driverClassName for driver-class-name. */
    private static @Nullable OldName ofSpring(String rest) {
        String plain = rest.replaceAll("[-_]", "").toLowerCase(Locale.ROOT);
        return Stream.of(OF_SPRING, OF_CONNECTION)
                .flatMap(names -> names.values().stream())
                .filter(known -> known.name().replaceAll("[-_]", "").equals(plain))
                .findFirst()
                .orElse(null);
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
        return OF_HIBERNATE.matcher(name).matches() && of(name) == null;
    }

    /** Whether it is a property that no pool reads. */
    static boolean isOfApplication(String name) {
        return near(name).isEmpty()
                && (isOfHibernate(name) || OF_APPLICATION.matcher(name).matches());
    }

    /** Why a property that no pool reads is dropped. */
    static String unknown(String name) {
        return near(name)
                .map(near -> "unknown pool property; did you mean " + near + "?")
                .orElse(
                        isOfHibernate(name)
                                ? "not about connections; stays with Hibernate"
                                : OF_APPLICATION.matcher(name).matches()
                                        ? "not about connections or calls; stays with the application"
                                        : "unknown pool property");
    }

    /** The probably intended name, with its prefix; names of other parts of an application are not alike. */
    static Optional<String> near(String name) {
        int last = name.lastIndexOf('.') + 1;
        if (last > 0 && !OF_POOL.matcher(name).matches()) {
            return Optional.empty();
        }
        List<String> all = new ArrayList<>(OF_HIBERNATE_C3P0.keySet());
        Stream.of(HikariNames.ALL, C3p0Names.ALL, OF_CONNECTION)
                .flatMap(names -> names.keySet().stream())
                .forEach(all::add);
        return SpellingHint.of(camel(name.substring(last)), all).map(word -> name.substring(0, last) + word);
    }
}
