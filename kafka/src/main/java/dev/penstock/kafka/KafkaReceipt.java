package dev.penstock.kafka;

/**
 * Where a record is that the broker acknowledged.
 *
 * @param topic its topic
 * @param partition its partition
 * @param offset its offset in the partition; -1 if a repeated send found it in the log, and the broker no longer knows where
 */
public record KafkaReceipt(String topic, int partition, long offset) {}
