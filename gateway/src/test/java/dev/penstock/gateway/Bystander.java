package dev.penstock.gateway;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/**
 * The view of a client that sends one small request after the other while others misbehave.
 *
 * @param endings statuses with bodies, or exceptions, and how many of each
 */
record Bystander(Map<String, Integer> endings, double medianMs, double p99Ms) {
    static Bystander posting(String url, String body, Duration lasts) throws InterruptedException {
        Histogram times = new Histogram(3);
        Map<String, Integer> endings = new TreeMap<>();
        long end = System.nanoTime() + lasts.toNanos();
        do {
            long began = System.nanoTime();
            endings.merge(ending(url, body), 1, Integer::sum);
            times.recordValue(System.nanoTime() - began);
        } while (System.nanoTime() - end < 0);
        return new Bystander(endings, times.getValueAtPercentile(50) / 1e6, times.getValueAtPercentile(99) / 1e6);
    }

    private static String ending(String url, String body) throws InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url))
                .timeout(Duration.ofSeconds(20))
                .POST(BodyPublishers.ofString(body))
                .build();
        try {
            HttpResponse<String> answer = Running.CLIENT.send(request, BodyHandlers.ofString());
            return answer.statusCode() + " " + answer.body();
        } catch (IOException e) {
            return e.toString();
        }
    }

    /** The share of an ending in all, 0 to 1. */
    double shareOf(String ending) {
        int all = endings.values().stream().mapToInt(Integer::intValue).sum();
        return endings.getOrDefault(ending, 0) / (double) all;
    }

    @Override
    public String toString() {
        return "p50 %.2f p99 %.2f ms, %s".formatted(medianMs, p99Ms, endings);
    }
}
