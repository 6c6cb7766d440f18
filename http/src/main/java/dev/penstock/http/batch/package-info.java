/**
 * Many HTTP requests by one call: {@link dev.penstock.http.batch.HttpBatch} sends what the flow has collapsed to a batch
 * URL, in a {@link dev.penstock.http.batch.BatchFormat}.
 *
 * <pre>
 *   HttpCall --+
 *   HttpCall --+--> collapse --(List of HttpCall)--> HttpBatch --(one HttpCall)--> HttpTarget --> batch URL
 *   HttpCall --+                                         |
 *             <------------(an ending for each)----------+
 * </pre>
 *
 * <p>Requests share a call only when nothing of them is lost by it: see {@link dev.penstock.http.batch.HttpBatch}.
 */
@NullMarked
package dev.penstock.http.batch;

import org.jspecify.annotations.NullMarked;
