package dev.penstock.spring;

import dev.penstock.Unanswered;
import dev.penstock.Unknown;
import java.lang.reflect.UndeclaredThrowableException;
import java.util.Optional;
import org.springframework.aop.ProxyMethodInvocation;

/** A call of a method with {@link Flowed}, which may be repeated. */
record MethodCall(ProxyMethodInvocation invocation) {
    /** Calls the method. Empty if it returns null. */
    Optional<Object> proceed() throws Exception {
        try {
            return Optional.ofNullable(invocation.invocableClone().proceed());
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
