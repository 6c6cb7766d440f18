package dev.penstock.cli;

import dev.penstock.AnswerCodec;
import dev.penstock.IdempotencyStore;
import dev.penstock.Service;
import dev.penstock.http.HttpAnswer;
import dev.penstock.http.HttpCall;
import dev.penstock.http.HttpTarget;
import dev.penstock.jms.JmsBroker;
import dev.penstock.jms.JmsMessage;
import java.nio.charset.StandardCharsets;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.NullUnmarked;

/**
 * The names that Java examples of the docs use without declaring them. For compiling only: nothing has a value. An example that
 * needs another name declares it in a comment above its fence: {@code <!-- given: DataSource orders; -->}.
 */
@NullUnmarked
public class ExampleContext {
    protected HttpCall request;
    protected HttpTarget gateway;
    protected Service<JmsMessage, HttpAnswer> service;
    protected DataSource dataSource;
    protected IdempotencyStore store;
    protected AnswerCodec<String> codec;
    protected JmsBroker broker;
    protected PriceApi api;
    protected Cache cache;
    protected String secret;
    protected String password;
    protected String json;
    protected byte[] find;
    protected byte[] with;

    /** An answer of the reader's API. */
    public record Price(int article, long cents) {}

    /** A request of the reader. */
    public record Order(String id) {
        /** Distinguishes two orders of one id. */
        public byte[] bytes() {
            return id.getBytes(StandardCharsets.UTF_8);
        }
    }

    /** An API that answers many requests in one call. */
    public interface PriceApi {
        /** The prices, in the order of the articles. */
        List<Price> pricesOf(List<Integer> articles);

        /** The price of one article. */
        Price priceOf(int article);
    }

    /** A service that returns at once. */
    public interface Cache {
        /** The value of a key. */
        String get(String key);
    }
}
