/**
 * JMS: a source that receives only as many messages as its flow can process, and a target that can send many messages
 * in one commit.
 *
 * <pre>
 *   queue --receive--> JmsSource --> flow --> any target
 *                         |
 *                         +-- acknowledges when the transaction has ended; failed messages become dead letters
 *
 *   flow --> JmsTarget --send--> queue
 * </pre>
 */
@NullMarked
package dev.penstock.jms;

import org.jspecify.annotations.NullMarked;
