package dev.penstock.races.messages;

import dev.penstock.kit.program.RestartableServer;
import dev.penstock.lab.race.Scene;
import java.io.IOException;
import java.util.Map;

/**
 * A broker in a separate process that was filled before the start, so that no producer uses CPU during the measurement.
 *
 * @param broker the broker
 * @param parameters for the contestant
 */
public record FilledBroker(RestartableServer broker, Map<String, String> parameters) implements Scene {
    /** Sends the messages. */
    @FunctionalInterface
    public interface Filler {
        void fill() throws Exception;
    }

    /**
     * Fills a broker, or closes it.
     *
     * @param url for its clients
     * @param messages their number
     */
    public static FilledBroker of(RestartableServer broker, String url, int messages, Filler filler) throws Exception {
        try {
            filler.fill();
        } catch (Exception e) {
            broker.close();
            throw e;
        }
        return new FilledBroker(broker, Map.of(ConsumeCourse.URL, url, ConsumeCourse.SENT, String.valueOf(messages)));
    }

    @Override
    public void close() throws IOException {
        broker.close();
    }
}
