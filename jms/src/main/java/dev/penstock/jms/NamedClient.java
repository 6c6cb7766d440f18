package dev.penstock.jms;

import jakarta.jms.ConnectionFactory;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/** Creates the connection factory of a JMS client by the name of its class, and sets its properties. */
final class NamedClient {
    static final String PREFIX = "class:";

    private static final Map<Class<?>, Function<String, Object>> TYPES = Map.of(
            String.class, text -> text,
            int.class, Integer::valueOf,
            long.class, Long::valueOf,
            double.class, Double::valueOf,
            boolean.class, NamedClient::truth);

    private NamedClient() {}

    /**
     * Creates a factory as described by a URL.
     *
     * @param url {@code class:NAME?property=value&property=value}; values that contain {@code &} or {@code %}
     *     are percent-encoded
     * @throws IllegalArgumentException as for {@link #of(String, Map)}
     */
    static ConnectionFactory of(String url) {
        int query = url.indexOf('?');
        String name = url.substring(PREFIX.length(), query < 0 ? url.length() : query);
        String properties = query < 0 ? "" : url.substring(query + 1);
        Map<String, String> values = new LinkedHashMap<>();
        for (String property : properties.isEmpty() ? new String[0] : properties.split("&", -1)) {
            int equals = property.indexOf('=');
            if (equals < 1) {
                throw new IllegalArgumentException(
                        "a property of " + name + " has no name or no value; write class:" + name + "?name=value");
            }
            values.put(property.substring(0, equals), decoded(property.substring(equals + 1)));
        }
        return of(name, values);
    }

    /**
     * Creates a factory by its no-argument constructor, and sets its properties by its setters; of several setters of one
     * name the one for text is used.
     *
     * @throws IllegalArgumentException when there is no such class or property, or a value does not fit; the message has
     *     one line and does not contain the values
     */
    static ConnectionFactory of(String name, Map<String, String> properties) {
        ConnectionFactory factory = create(name);
        Map<String, Method> setters = new TreeMap<>();
        for (Method method : factory.getClass().getMethods()) {
            if (isSetter(method)) {
                setters.merge(property(method), method, (one, other) -> takesText(one) ? one : other);
            }
        }
        properties.forEach((property, value) -> {
            Method setter = setters.get(property);
            if (setter == null) {
                throw new IllegalArgumentException("the class " + name + " has no property " + property + "; it has "
                        + String.join(", ", setters.keySet()));
            }
            set(factory, property, setter, value);
        });
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

    private static boolean isSetter(Method method) {
        return method.getName().length() > 3
                && method.getName().startsWith("set")
                && method.getParameterCount() == 1
                && TYPES.containsKey(method.getParameterTypes()[0]);
    }

    private static boolean takesText(Method setter) {
        return setter.getParameterTypes()[0].equals(String.class);
    }

    /** The name of a property, as JavaBeans defines it. */
    private static String property(Method setter) {
        String name = setter.getName().substring(3);
        boolean isAcronym = name.length() > 1 && Character.isUpperCase(name.charAt(1));
        return isAcronym ? name : name.substring(0, 1).toLowerCase(Locale.ROOT) + name.substring(1);
    }

    private static void set(ConnectionFactory factory, String property, Method setter, String value) {
        Class<?> type = setter.getParameterTypes()[0];
        String name = factory.getClass().getName();
        Object argument;
        try {
            argument = TYPES.getOrDefault(type, text -> text).apply(value);
        } catch (IllegalArgumentException other) {
            throw new IllegalArgumentException("the property " + property + " of the class " + name
                    + " does not accept this value; it is of type " + type.getSimpleName());
        }
        try {
            setter.invoke(factory, argument);
        } catch (InvocationTargetException | IllegalAccessException refused) {
            throw new IllegalArgumentException(
                    "the class " + name + " rejected the value of " + property + " (" + reason(refused)
                            + "); see the manual of that JMS client",
                    refused);
        }
    }

    private static Boolean truth(String text) {
        if (!text.equals("true") && !text.equals("false")) {
            throw new IllegalArgumentException("neither true nor false");
        }
        return Boolean.valueOf(text);
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
