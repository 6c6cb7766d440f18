/**
 * Load balancing over several HTTP targets: {@link dev.penstock.http.balance.BalancedTarget} sends each call to the endpoint with
 * the fewest outstanding calls, and leaves out endpoints that only fail.
 *
 * <pre>{@code
 *                                  +--> Flow (breaker, limit) --> HttpTarget --> endpoint 1
 *   HttpCall --> BalancedTarget ---+--> Flow (breaker, limit) --> HttpTarget --> endpoint 2
 *                  |               +--> HttpTarget ----------------------------> endpoint 3
 *          OutlierDetection
 * }</pre>
 */
@NullMarked
package dev.penstock.http.balance;

import org.jspecify.annotations.NullMarked;
