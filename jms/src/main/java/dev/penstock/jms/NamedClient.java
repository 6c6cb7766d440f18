package dev.penstock.jms;

import jakarta.jms.ConnectionFactory;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Creates the connection factory of a JMS client by the name of its class, and sets its properties. */
final class NamedClient {
    static final String PREFIX = "class:";

    /** How a value is converted; null when it does not fit. */
    private static final Map<Class<?>, Function<String, @Nullable Object>> TYPES = Map.of(
            String.class, text -> text,
            int.class, Integer::valueOf,
            Integer.class, Integer::valueOf,
            long.class, Long::valueOf,
            Long.class, Long::valueOf,
            double.class, Double::valueOf,
            Double.class, Double::valueOf,
            boolean.class, NamedClient::truth,
            Boolean.class, NamedClient::truth);

    private NamedClient() {}

    /**
     * Creates a factory as described by a URL.
     *
     * @param url {@code class:NAME?property=value&property=value}; values that contain {@code &} or {@code %} are
     *     percent-encoded
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
     * Creates a factory by its no-argument constructor, and sets its properties by its setters.
     *
     * @throws IllegalArgumentException when there is no such class or property, or a value does not fit; the message has
     *     one line and does not contain the values
     */
    static ConnectionFactory of(String name, Map<String, String> properties) {
        ConnectionFactory factory = create(name);
        properties.forEach((property, value) -> set(factory, property, value));
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
        List<Method> setters = setters(factory)
                .filter(method -> method.getName().equals(setter(property)))
                .toList();
        if (setters.isEmpty()) {
            throw new IllegalArgumentException("the class " + factory.getClass().getName() + " has no property "
                    + property + "; it has "
                    + setters(factory)
                            .map(NamedClient::property)
                            .distinct()
                            .sorted()
                            .collect(Collectors.joining(", ")));
        }
        for (Method setter : setters) {
            Object argument = as(setter.getParameterTypes()[0], value);
            if (argument != null) {
                invoke(factory, setter, argument);
                return;
            }
        }
        throw new IllegalArgumentException("the property " + property + " of the class "
                + factory.getClass().getName() + " does not accept this value; it is of type "
                + setters.stream()
                        .map(setter -> setter.getParameterTypes()[0].getSimpleName())
                        .distinct()
                        .collect(Collectors.joining(" or ")));
    }

    /** The setters of properties with a type that a value is converted to; text last, since any value fits it. */
    private static Stream<Method> setters(ConnectionFactory factory) {
        return Arrays.stream(factory.getClass().getMethods())
                .filter(method -> method.getName().length() > 3
                        && method.getName().startsWith("set")
                        && method.getParameterCount() == 1
                        && TYPES.containsKey(method.getParameterTypes()[0]))
                .sorted(Comparator.comparing((Method method) -> method.getParameterTypes()[0].equals(String.class)));
    }

    private static String setter(String property) {
        return property.isEmpty()
                ? "set"
                : "set" + property.substring(0, 1).toUpperCase(Locale.ROOT) + property.substring(1);
    }

    private static String property(Method setter) {
        String name = setter.getName().substring(3);
        boolean isAcronym = name.length() > 1 && Character.isUpperCase(name.charAt(1));
        return isAcronym ? name : name.substring(0, 1).toLowerCase(Locale.ROOT) + name.substring(1);
    }

    private static void invoke(ConnectionFactory factory, Method setter, Object argument) {
        try {
            setter.invoke(factory, argument);
        } catch (InvocationTargetException | IllegalAccessException refused) {
            throw new IllegalArgumentException(
                    "the class " + factory.getClass().getName() + " rejected the value of " + property(setter) + " ("
                            + reason(refused) + "); see the manual of that JMS client",
                    refused);
        }
    }

    /** Converts the value to the type of a setter's parameter; null when it does not fit. */
    private static @Nullable Object as(Class<?> type, String value) {
        try {
            return TYPES.getOrDefault(type, text -> null).apply(value);
        } catch (NumberFormatException other) {
            return null;
        }
    }

    private static @Nullable Boolean truth(String text) {
        return (text.equals("true") || text.equals("false")) ? Boolean.valueOf(text) : null;
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
