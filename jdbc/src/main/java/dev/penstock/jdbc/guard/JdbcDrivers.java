package dev.penstock.jdbc.guard;

import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Map;

/** Checks that the driver of a database is present. Penstock depends on none of them except SQLite's. */
public final class JdbcDrivers {
    /** The Maven artifacts of drivers, by the part of the URL after {@code jdbc:}. */
    private static final Map<String, String> ARTIFACTS = Map.of(
            "postgresql", "org.postgresql:postgresql",
            "h2", "com.h2database:h2",
            "sqlite", "org.xerial:sqlite-jdbc",
            "mariadb", "org.mariadb.jdbc:mariadb-java-client",
            "mysql", "com.mysql:mysql-connector-j");

    private JdbcDrivers() {}

    /**
     * Checks that a driver accepts the URL.
     *
     * @param shown the URL without secrets, for the message
     * @throws IllegalArgumentException when there is none; the message names the jar to add
     */
    public static void require(String url, String shown) {
        try {
            DriverManager.getDriver(url);
        } catch (SQLException none) {
            String[] parts = url.split(":", 3);
            String jar = ARTIFACTS.getOrDefault(parts.length > 1 ? parts[1] : "", "the driver's jar");
            throw new IllegalArgumentException(
                    "no suitable JDBC driver for " + shown + ": add " + jar
                            + " to the class path, or name its folder with --lib DIR (penstock), or correct the URL",
                    none);
        }
    }
}
