package dev.penstock.migrate;

import dev.penstock.migrate.OldName.DroppedReasons;
import dev.penstock.migrate.OldName.OldUse;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Names of Spring Boot below {@code spring.datasource}, in any notation. */
final class SpringNames {
    static final String DATASOURCE = "spring.datasource.";
    static final String HIKARI = DATASOURCE + "hikari.";
    static final String JPA = "spring.jpa.properties.";

    /** A property of the driver: {@code data-source-properties.a} or {@code dataSourceProperties['a']}. */
    private static final Pattern DRIVER =
            Pattern.compile("(?i)data-?source-?properties(?:\\.(.+)|\\[['\"]?([^'\"\\]]+)['\"]?])");

    /** Part of an application that is not about connections. */
    private static final Pattern APPLICATION =
            Pattern.compile("(spring|server|management|logging|info|eureka|springdoc|feign|ribbon|zuul|app)\\..*");

    private static final Pattern OTHER_SOURCE = Pattern.compile("spring\\.datasource\\.[\\w-]+[.\\[].+");

    static final PoolNames OWN = new PoolNames()
            .use(OldUse.URL, "url", "jdbc-url")
            .use(OldUse.USER, "username")
            .use(OldUse.PASSWORD, "password")
            .drop(DroppedReasons.DRIVER_BY_URL, "driver-class-name")
            .drop(
                    "use the URL instead; GuardedDataSource.over(dataSource, name) accepts any other data source",
                    "jndi-name")
            .drop("declare the GuardedDataSource as the bean of the data source", "type")
            .drop(DroppedReasons.METRICS, "name", "generate-unique-name")
            .drop(
                    "about scripts and embedded databases; stays with Spring",
                    "initialize",
                    "initialization-mode",
                    "schema",
                    "schema-username",
                    "schema-password",
                    "data",
                    "data-username",
                    "data-password",
                    "platform",
                    "separator",
                    "continue-on-error",
                    "sql-script-encoding",
                    "embedded-database-connection");

    private SpringNames() {}

    /** The meaning of a name below {@code spring.datasource.hikari}. */
    static @Nullable OldName hikari(String name) {
        Matcher driver = DRIVER.matcher(name);
        if (driver.matches()) {
            return new OldName(driver.group(1) == null ? driver.group(2) : driver.group(1), OldUse.DRIVER, "");
        }
        boolean isHealthCheck = StageNames.plain(name).startsWith("healthcheckproperties");
        return HikariNames.ALL.relaxed(isHealthCheck ? "healthCheckProperties" : name);
    }

    /** Whether it is a property of another data source, or of a pool that is not imported. */
    static boolean isOtherSource(String name) {
        return OTHER_SOURCE.matcher(name).matches() && !name.startsWith(HIKARI);
    }

    static boolean isOfApplication(String name) {
        return APPLICATION.matcher(name).matches();
    }
}
