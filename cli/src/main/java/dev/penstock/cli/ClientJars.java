package dev.penstock.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Jars with JDBC drivers and JMS clients that a user adds, in a class loader of their own. While this is open, their drivers are
 * known to {@link DriverManager}, and the calling thread and those that it starts find their classes by the context class
 * loader. What Penstock itself has comes first: a jar cannot replace it.
 *
 * <p>For the one thread that opened it.
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
     * Loads the jars of some folders, all by one class loader.
     *
     * @param folders may hold no jar at all
     * @throws IllegalArgumentException a folder or a driver cannot be read, in one line that says what to do
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
                            + "; put all jars that it needs there, in versions for Java 25",
                    unfit);
        }
        Thread.currentThread().setContextClassLoader(loader);
        return jars;
    }

    /** The jars in a folder, in the order of their names. */
    static List<Path> jars(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.getFileName().toString().endsWith(".jar"))
                    .sorted()
                    .toList();
        } catch (IOException | UncheckedIOException unreadable) {
            throw new IllegalArgumentException(
                    "cannot read the folder " + folder + " ("
                            + unreadable.getClass().getSimpleName() + "): name a folder with jars that may be read",
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

    /** Forgets the drivers. What is loaded lives on in connections that are still open. */
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
            throw new IllegalStateException("the jars of added clients cannot be closed", already);
        }
    }
}
