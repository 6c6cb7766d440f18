package dev.penstock.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Sends the calls of a bean's method through a flow: its limit, queue, breaker, deadline and retries apply to them. The flow is one of
 * {@code penstock.flows} without {@code to}, and several methods may share it.
 *
 * <pre>{@code
 * @Flowed("prices")
 * public Price priceOf(String article) { ... }
 * }</pre>
 *
 * <p>An exception of the method is an unknown ending: it does not show whether the call took effect. It counts for the breaker, is
 * repeated only in a flow with {@code idempotent: true}, and reaches the caller unchanged. A call that the flow ends itself, for
 * instance because its limit rejects it, throws an {@link UnansweredMethodException}, or {@link dev.penstock.Rejected} and the like if
 * the method declares them. Return what is only a refusal by the business.
 *
 * <p>The method runs on its caller's thread, with its transaction and security context. So the deadline bounds the waits of the flow, and
 * calls of the method through other flows and a {@code GuardedDataSource}, but does not interrupt it.
 *
 * <p>As with any annotation that Spring intercepts, a call within the same object does not go through the flow. The log warns at start
 * about a class that contains such calls. A private, static or final method cannot have this annotation.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface Flowed {
    /** {@return the name of the flow} */
    String value();

    /**
     * {@return the idempotency key of a call, as an expression of Spring about the arguments, for instance {@code #order.id}; it must not
     * be null} The flow must have {@code dedupe}: calls of the method with an equal key then run once, and the others get what the first
     * returned, from the store after a restart. It is stored as JSON, which Jackson must be able to write and to read. With {@code
     * retry.key} calls with a key may be repeated. Default: no key.
     */
    String key() default "";
}
