package dev.penstock.races.sql;

import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.DriverPropertyInfo;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.Properties;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The driver of a database as {@code jdbc:counted:postgresql://...}, which counts in {@link SqlCounts}. It counts below
 * every pool, in the same place.
 */
public final class CountedDriver implements Driver {
    private static final String PREFIX = "jdbc:counted:";

    static {
        try {
            DriverManager.registerDriver(new CountedDriver());
        } catch (SQLException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** For pools that instantiate the driver. */
    public CountedDriver() {}

    /**
     * The URL of the same database through this driver.
     *
     * @param url the URL for the database's own driver
     */
    public static String url(String url) {
        return PREFIX + url.substring("jdbc:".length());
    }

    private static String realUrl(String url) {
        return "jdbc:" + url.substring(PREFIX.length());
    }

    @Override
    public @Nullable Connection connect(String url, Properties info) throws SQLException {
        if (!acceptsURL(url)) {
            return null;
        }
        SqlCounts.connect();
        String real = realUrl(url);
        Connection connection = DriverManager.getDriver(real).connect(real, info);
        return connection == null ? null : new CountedConnection(connection).proxy();
    }

    @Override
    public boolean acceptsURL(String url) {
        return url.startsWith(PREFIX);
    }

    @Override
    public DriverPropertyInfo[] getPropertyInfo(String url, Properties info) throws SQLException {
        String real = realUrl(url);
        return DriverManager.getDriver(real).getPropertyInfo(real, info);
    }

    @Override
    public int getMajorVersion() {
        return 42;
    }

    @Override
    public int getMinorVersion() {
        return 0;
    }

    @Override
    public boolean jdbcCompliant() {
        return false;
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        throw new SQLFeatureNotSupportedException("this driver does not log");
    }
}
