package dev.penstock.jms;

import jakarta.jms.ConnectionFactory;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Creates the connection factory of a JMS client whose class is named in a URL. */
final class NamedClient {
    static final String PREFIX = "class:";

    private NamedClient() {}

    /**
     * Creates a factory by its no-argument constructor, and sets its properties by its setters.
     *
     * @param url {@code class:NAME?property=value&property=value}; values that contain {@code &} or {@code %} are
     *     percent-encoded
     * @throws IllegalArgumentException when there is no such class or property; the message has one line and does not
     *     contain the values
     */
    static ConnectionFactory of(String url) {
        int query = url.indexOf('?');
        String name = url.substring(PREFIX.length(), query < 0 ? url.length() : query);
        ConnectionFactory factory = create(name);
        String properties = query < 0 ? "" : url.substring(query + 1);
        for (String property : properties.isEmpty() ? new String[0] : properties.split("&", -1)) {
            int equals = property.indexOf('=');
            if (equals < 1) {
                throw new IllegalArgumentException(
                        "a property of " + name + " has no name or no value; write class:" + name + "?name=value");
            }
            set(factory, property.substring(0, equals), decoded(property.substring(equals + 1)));
        }
        return factory;
    }

    private static ConnectionFactory create(String name) {
        ClassLoader context = Thread.currentThread().getContextClassLoader();
        try {
            ClassLoader loader = context == null ? NamedClient.class.getClassLoader() : context;
            Object create =
                    Class.forName(name, true, loader).getDeclaredConstructor().newInstance();
            if (create instanceof ConnectionFactory factory) {
                return factory;
            }
            throw new IllegalArgumentException("the class " + name
                    + " is not a jakarta.jms.ConnectionFactory; use the connection factory of a JMS 3 client");
        } catch (ClassNotFoundException none) {
            throw new IllegalArgumentException(
                    "class not found: " + name
                            + "; put the jars of that JMS client into the folder lib beside the flow file, or name their"
                            + " folder with --lib DIR",
                    none);
        } catch (ReflectiveOperationException | LinkageError unfit) {
            throw new IllegalArgumentException(
                    "the class " + name + " cannot be used (" + reason(unfit)
                            + "); it needs a public no-argument constructor, and all jars of its client",
                    unfit);
        }
    }

    private static void set(ConnectionFactory factory, String property, String value) {
        String setter = "set" + property.substring(0, 1).toUpperCase(Locale.ROOT) + property.substring(1);
        try {
            for (Method method : factory.getClass().getMethods()) {
                if (method.getName().equals(setter) && method.getParameterCount() == 1) {
                    Object argument = as(method.getParameterTypes()[0], value);
                    if (argument != null) {
                        method.invoke(factory, argument);
                        return;
                    }
                }
            }
        } catch (InvocationTargetException | IllegalAccessException refused) {
            throw new IllegalArgumentException(
                    "the class " + factory.getClass().getName() + " rejected the value of " + property + " ("
                            + reason(refused) + "); see the manual of that JMS client",
                    refused);
        }
        throw new IllegalArgumentException("the class " + factory.getClass().getName() + " has no property " + property
                + " of a type that fits this value; see the manual of that JMS client");
    }

    /** Converts the value to the type of a setter's parameter; null when it does not fit. */
    private static @Nullable Object as(Class<?> type, String value) {
        try {
            if (type == String.class) {
                return value;
            }
            if (type == int.class || type == Integer.class) {
                return Integer.valueOf(value);
            }
            if (type == long.class || type == Long.class) {
                return Long.valueOf(value);
            }
            if (type == boolean.class || type == Boolean.class) {
                return (value.equals("true") || value.equals("false")) ? Boolean.valueOf(value) : null;
            }
            return null;
        } catch (NumberFormatException other) {
            return null;
        }
    }

    /** Without the message, which may contain the value, a possible secret. */
    private static String reason(Throwable thrown) {
        Throwable behind = thrown instanceof InvocationTargetException ? thrown.getCause() : null;
        return (behind == null ? thrown : behind).getClass().getSimpleName();
    }

    private static String decoded(String value) {
        return URLDecoder.decode(value.replace("+", "%2B"), StandardCharsets.UTF_8);
    }
}
