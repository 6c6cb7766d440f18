package dev.penstock.spring;

import dev.penstock.Keyed;
import dev.penstock.Unanswered;
import dev.penstock.Unknown;
import java.lang.reflect.Method;
import java.lang.reflect.UndeclaredThrowableException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;

/**
 * A call of a method with {@link Flowed}, or of a listener, which may be repeated.
 *
 * @param code calls it
 * @param keys its idempotency keys by name
 * @param batch of {@link Collapsed}; null for none
 * @param argument of a method with a batch; the message of a listener
 */
record MethodCall(
        Code code,
        Keyed keys,
        @Nullable Batch batch,
        @Nullable Object argument) implements Keyed {
    /** The batch method of a bean. */
    record Batch(Object proxy, Method method) {
        private List<Optional<Object>> call(List<MethodCall> calls) throws Exception {
            List<@Nullable Object> arguments = new ArrayList<>();
            calls.forEach(call -> arguments.add(call.argument));
            Object answers =
                    run(() -> AopUtils.invokeJoinpointUsingReflection(proxy, method, new Object[] {arguments}));
            List<Optional<Object>> each = new ArrayList<>();
            if (answers instanceof List<?> list) {
                list.forEach(answer -> each.add(Optional.ofNullable(answer)));
            }
            return each; // one of another length is an unknown ending
        }
    }

    /** Code that may be run again. */
    interface Code {
        @Nullable
        Object run() throws Throwable;
    }

    @Override
    public @Nullable String key(String name) {
        return keys.key(name);
    }

    /** Calls the method. Empty if it returns null. */
    Optional<Object> proceed() throws Exception {
        return Optional.ofNullable(run(code));
    }

    /** Calls the batch method of several calls, or the method of the only one. */
    static List<Optional<Object>> proceedAll(List<MethodCall> calls) throws Exception {
        MethodCall first = calls.getFirst();
        return first.batch == null ? List.of(first.proceed()) : first.batch.call(calls);
    }

    private static @Nullable Object run(Code code) throws Exception {
        try {
            return code.run();
        } catch (Unanswered inner) {
            throw new Unknown(
                    Unknown.Cause.ERROR, "the method threw " + inner, inner); // it may have called other flows before
        } catch (Exception | Error thrown) {
            throw thrown;
        } catch (Throwable other) {
            throw new UndeclaredThrowableException(other);
        }
    }
}
