package dev.penstock.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.DriverPropertyInfo;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Properties;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Additional jars with JDBC drivers and JMS clients, in a class loader of their own. While this is open, {@link
 * DriverManager} knows their drivers, and the calling thread and the threads it starts find their classes by the
 * context class loader. Classes of Penstock take precedence: a jar cannot replace them.
 *
 * <p>To be used by the opening thread only.
 */
final class ClientJars implements AutoCloseable {
    private final @Nullable URLClassLoader loader;
    private final @Nullable ClassLoader before;
    private final List<Driver> registered = new ArrayList<>();

    private ClientJars(@Nullable URLClassLoader loader) {
        this.loader = loader;
        this.before = Thread.currentThread().getContextClassLoader();
    }

    /**
     * Loads the jars of several folders with one class loader.
     *
     * @param folders may contain no jars
     * @throws IllegalArgumentException a folder or a driver cannot be loaded, with a one-line remedy
     */
    static ClientJars of(List<Path> folders) {
        URL[] urls = folders.stream()
                .flatMap(folder -> jars(folder).stream())
                .map(ClientJars::url)
                .toArray(URL[]::new);
        if (urls.length == 0) {
            return new ClientJars(null);
        }
        URLClassLoader loader = new URLClassLoader("penstock-lib", urls, ClientJars.class.getClassLoader());
        ClientJars jars = new ClientJars(loader);
        try {
            jars.register(loader);
        } catch (ServiceConfigurationError | LinkageError | SQLException unfit) {
            jars.close();
            throw new IllegalArgumentException(
                    "a JDBC driver in " + folders + " cannot be loaded: " + unfit.getMessage()
                            + "; put all jars it needs there, in versions for Java 25",
                    unfit);
        }
        Thread.currentThread().setContextClassLoader(loader);
        return jars;
    }

    /** The jars in a folder, sorted by name. */
    static List<Path> jars(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.getFileName().toString().endsWith(".jar"))
                    .sorted()
                    .toList();
        } catch (IOException | UncheckedIOException unreadable) {
            throw new IllegalArgumentException(
                    "cannot read the folder " + folder + " ("
                            + unreadable.getClass().getSimpleName() + "): name a readable folder with jars",
                    unreadable);
        }
    }

    private static URL url(Path jar) {
        try {
            return jar.toUri().toURL();
        } catch (MalformedURLException impossible) {
            throw new IllegalStateException("a file has a URL", impossible);
        }
    }

    private void register(URLClassLoader from) throws SQLException {
        Iterator<ServiceLoader.Provider<Driver>> drivers =
                ServiceLoader.load(Driver.class, from).stream().iterator();
        while (drivers.hasNext()) {
            ServiceLoader.Provider<Driver> driver = drivers.next();
            if (from.equals(driver.type().getClassLoader())) {
                Driver known = new AddedDriver(driver.get());
                DriverManager.registerDriver(known);
                registered.add(known);
            }
        }
    }

    /** Deregisters the drivers. Open connections keep working. */
    @Override
    public void close() {
        if (loader == null) {
            return;
        }
        Thread.currentThread().setContextClassLoader(before);
        try {
            for (Driver driver : registered) {
                DriverManager.deregisterDriver(driver);
            }
            loader.close();
        } catch (SQLException | IOException already) {
            throw new IllegalStateException("cannot close the jars of additional clients", already);
        }
    }

    /**
     * Wraps a driver of another class loader, because {@link java.sql.DriverManager} only returns drivers whose class is
     * visible to the caller.
     */
    private record AddedDriver(Driver driver) implements Driver {
        @Override
        public @Nullable Connection connect(String url, Properties properties) throws SQLException {
            return driver.connect(url, properties);
        }

        @Override
        public boolean acceptsURL(String url) throws SQLException {
            return driver.acceptsURL(url);
        }

        @Override
        public DriverPropertyInfo[] getPropertyInfo(String url, Properties properties) throws SQLException {
            return driver.getPropertyInfo(url, properties);
        }

        @Override
        public int getMajorVersion() {
            return driver.getMajorVersion();
        }

        @Override
        public int getMinorVersion() {
            return driver.getMinorVersion();
        }

        @Override
        public boolean jdbcCompliant() {
            return driver.jdbcCompliant();
        }

        @Override
        public Logger getParentLogger() throws SQLFeatureNotSupportedException {
            return driver.getParentLogger();
        }
    }
}
