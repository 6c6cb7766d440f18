package dev.penstock.cli;

import java.lang.reflect.Proxy;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Signals that would end the JVM although their senders mean something else: SIGHUP asks a server to read its configuration
 * again, SIGUSR1 to reopen its log files. By reflection: the JDK exports {@code sun.misc.Signal} for this purpose, but the
 * compiler warns about it, and that warning cannot be suppressed.
 */
final class IgnoredSignals {
    private static final Logger LOG = LoggerFactory.getLogger("penstock");

    private static final Map<String, String> LINES = Map.of(
            "HUP", "SIGHUP ignored: reload is not supported yet; restart to apply a changed file",
            "USR1", "SIGUSR1 ignored: it has no meaning here; stop with SIGTERM");

    private IgnoredSignals() {}

    /** Ignores them, with a line in the log for each. A signal that the parent made this process ignore, as nohup does, stays so. */
    static void log() {
        LINES.forEach((name, line) -> {
            try {
                ignore(name, line);
            } catch (ReflectiveOperationException unavailable) {
                // Not a signal of this system, or the JVM was started with -Xrs.
                LOG.debug("SIG{} is not ignored: {}", name, unavailable.toString());
            }
        });
    }

    private static void ignore(String name, String line) throws ReflectiveOperationException {
        Class<?> signal = Class.forName("sun.misc.Signal");
        Class<?> handler = Class.forName("sun.misc.SignalHandler");
        Object logging = Proxy.newProxyInstance(
                handler.getClassLoader(), new Class<?>[] {handler}, (proxy, method, arguments) -> {
                    LOG.warn(line);
                    return null;
                });
        Object _ = signal.getMethod("handle", signal, handler)
                .invoke(null, signal.getConstructor(String.class).newInstance(name), logging);
    }
}
