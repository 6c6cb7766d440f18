/**
 * Kafka: a target that sends records, and knows of each whether it may be in the topic.
 *
 * <pre>
 *   flow --> KafkaTarget --> KafkaProducer --send--> topic
 *                 |
 *                 +-- SendFault: what an error says about the record
 * </pre>
 */
@NullMarked
package dev.penstock.kafka;

import org.jspecify.annotations.NullMarked;
