/**
 * Batching of HTTP requests: {@link dev.penstock.http.batch.HttpBatch} sends collapsed requests as one to a batch URL, in a
 * {@link dev.penstock.http.batch.BatchFormat}: a POST of many bodies ({@link dev.penstock.http.batch.JsonBatch}), or a GET of many
 * ids ({@link dev.penstock.http.batch.GetBatch}).
 *
 * <pre>{@code
 *   HttpCall --+
 *   HttpCall --+--> collapse --(List of HttpCall)--> HttpBatch --(one HttpCall)--> HttpTarget --> batch URL
 *   HttpCall --+                                         |
 *             <----------(an ending per request)---------+
 * }</pre>
 *
 * <p>Requests share a batch only if no information is lost, see {@link dev.penstock.http.batch.HttpBatch}.
 */
@NullMarked
package dev.penstock.http.batch;

import org.jspecify.annotations.NullMarked;
