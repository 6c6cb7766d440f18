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
final class GatewaySignals {
    private static final Logger LOG = LoggerFactory.getLogger("penstock");

    private GatewaySignals() {}

    /**
     * Handles them from now on. A signal that the parent made this process ignore, as nohup does, stays so.
     *
     * @param reload what SIGHUP does, on a thread of its own
     */
    static void handle(Runnable reload) {
        Map<String, Runnable> handlers = Map.of(
                "HUP",
                reload,
                "USR1",
                () -> LOG.warn("SIGUSR1 ignored: it has no meaning here; SIGHUP reloads the flow file, SIGTERM stops"));
        handlers.forEach((name, handler) -> {
            try {
                handle(name, handler);
            } catch (ReflectiveOperationException unavailable) {
                // Not a signal of this system, or the JVM was started with -Xrs.
                LOG.debug("SIG{} is not handled: {}", name, unavailable.toString());
            }
        });
    }

    private static void handle(String name, Runnable handler) throws ReflectiveOperationException {
        Class<?> signal = Class.forName("sun.misc.Signal");
        Class<?> type = Class.forName("sun.misc.SignalHandler");
        Object handling =
                Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    handler.run();
                    return null;
                });
        Object _ = signal.getMethod("handle", signal, type)
                .invoke(null, signal.getConstructor(String.class).newInstance(name), handling);
    }
}
