package dev.penstock.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Collapses concurrent calls of a method of one argument into calls of a batch method of the same bean. The flow is that of {@link
 * Flowed}, which must have {@code collapse}, for instance {@code penstock.flows.prices.collapse: auto}.
 *
 * <pre>{@code
 * @Flowed("prices")
 * @Collapsed(into = "pricesOf")
 * public Price priceOf(Long article) {
 *     throw new UnsupportedOperationException(); // never runs
 * }
 *
 * public List<Price> pricesOf(List<Long> articles) { ... } // in the order of the articles
 * }</pre>
 *
 * <p>A batch runs on a thread of its own, without the transaction and security context of its callers, and through the interceptors of the
 * bean, so that the batch method may have annotations such as {@code @Transactional}. An exception of the batch method reaches all its
 * callers; if the flow is {@code idempotent}, the batch is called again in halves until only the arguments at fault fail.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface Collapsed {
    /** {@return the name of the batch method: it takes a {@code List} of arguments, and returns a {@code List} as long, in their order} */
    String into();
}
