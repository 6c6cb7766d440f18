/**
 * Messages: a source that receives only what its flow can hold, and a target that sends many with one commit.
 *
 * <pre>
 *   queue --receive--> JmsSource --> flow --> any target
 *                         |
 *                         +-- acknowledged once the transaction has ended; dead letters keep what could not be carried
 *
 *   flow --> JmsTarget --send--> queue
 * </pre>
 */
@NullMarked
package dev.penstock.jms;

import org.jspecify.annotations.NullMarked;
