package dev.penstock.spring;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.constantpool.MethodRefEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Finds calls of methods within their own class, which no proxy sees. */
final class OwnCalls {
    private OwnCalls() {}

    /**
     * The methods that a class names in its code. None if it has a field of its own type, by which it probably calls them, or if its
     * code cannot be read, as in a native image. Calls by a superclass or a subclass are not seen.
     */
    static List<Method> of(Class<?> type, Collection<Method> methods) {
        boolean callsProxy = Stream.of(type.getDeclaredFields())
                .anyMatch(field -> field.getGenericType().getTypeName().contains(type.getTypeName()));
        Set<String> named = callsProxy || methods.isEmpty() ? Set.of() : named(type);
        return methods.stream()
                .filter(method -> named.contains(method.getName() + descriptor(method)))
                .toList();
    }

    private static Set<String> named(Class<?> type) {
        String name = type.getName().replace('.', '/');
        Set<String> named = new HashSet<>();
        try (InputStream code = type.getResourceAsStream("/" + name + ".class")) {
            if (code != null) {
                for (PoolEntry entry : ClassFile.of().parse(code.readAllBytes()).constantPool()) {
                    if (entry instanceof MethodRefEntry method
                            && method.owner().name().equalsString(name)) {
                        named.add(method.name().stringValue() + method.type().stringValue());
                    }
                }
            }
            return named;
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static String descriptor(Method method) {
        return MethodType.methodType(method.getReturnType(), method.getParameterTypes())
                .descriptorString();
    }
}
