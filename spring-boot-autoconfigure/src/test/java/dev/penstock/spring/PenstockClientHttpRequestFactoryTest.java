package dev.penstock.spring;

import static dev.penstock.spring.PenstockContext.NOWHERE;
import static dev.penstock.spring.PenstockContext.runner;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.tuple;

import dev.penstock.Unknown;
import dev.penstock.http.RawPeer;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.boot.http.client.ClientHttpRequestFactoryBuilder;
import org.springframework.boot.http.client.HttpClientSettings;
import org.springframework.boot.http.client.HttpRedirects;
import org.springframework.boot.restclient.RestTemplateBuilder;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.web.client.HttpServerErrorException;
import org.springframework.web.client.ResourceAccessException;
import org.springframework.web.client.RestClient;

/** Boot's clients go through flows, and what has no answer throws a typed exception. */
class PenstockClientHttpRequestFactoryTest {
    private static final String OK =
            "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nX-One: 1\r\nContent-Length: 2\r\n\r\nok";

    @Test
    void aRestClientOfBootGoesThroughTheFlowOfItsUrl() throws Exception {
        try (RawPeer peer = RawPeer.answering(OK)) {
            runner().withPropertyValues("penstock.flows.payments.to.http.url=" + peer.url("/v1"))
                    .run(context -> {
                        RestClient client = context.getBean(RestClient.Builder.class)
                                .baseUrl(peer.url("/v1"))
                                .build();
                        var answer = client.post()
                                .uri("/orders?express=1")
                                .header("X-Two", "2")
                                .body("a body")
                                .retrieve()
                                .toEntity(String.class);
                        assertThat(answer.getBody()).isEqualTo("ok");
                        assertThat(answer.getHeaders().getFirst("X-One")).isEqualTo("1");
                        PenstockFlows flows = context.getBean(PenstockFlows.class);
                        assertThat(flows.flow("payments").accounting().answered())
                                .isEqualTo(1);
                        assertThat(flows.flows()).hasSize(1);
                    });
            assertThat(peer.requests().getFirst())
                    .startsWith("POST /v1/orders?express=1 HTTP/1.1\r\n")
                    .contains("X-Two: 2\r\n")
                    .containsOnlyOnce("Content-Length:")
                    .endsWith("a body");
        }
    }

    @Test
    void everyOtherHostHasAFlowOfItsOwn() throws Exception {
        try (RawPeer peer = RawPeer.answering(OK);
                RawPeer other = RawPeer.answering(OK)) {
            runner().run(context -> {
                RestClient client = context.getBean(RestClient.Builder.class).build();
                for (String url : new String[] {peer.url("/a"), peer.url("/b?c=%20"), other.url("")}) {
                    assertThat(client.get().uri(URI.create(url)).retrieve().body(String.class))
                            .isEqualTo("ok");
                }
                assertThat(context.getBean(PenstockFlows.class).flows())
                        .extracting(
                                flow -> flow.name(),
                                flow -> flow.snapshot().account().answered())
                        .containsExactlyInAnyOrder(
                                tuple("host-127-0-0-1-" + peer.port(), 2L),
                                tuple("host-127-0-0-1-" + other.port(), 1L));
            });
            assertThat(peer.requests().getLast()).startsWith("GET /b?c=%20 HTTP/1.1");
            assertThat(other.requests().getLast()).startsWith("GET / HTTP/1.1");
        }
    }

    @Test
    void aRestTemplateGoesThroughFlowsToo() throws Exception {
        try (RawPeer peer = RawPeer.answering(OK)) {
            runner().run(context -> {
                var template = context.getBean(RestTemplateBuilder.class).build();
                assertThat(template.getForObject(peer.url("/"), String.class)).isEqualTo("ok");
                assertThat(context.getBean(PenstockFlows.class).flows()).hasSize(1);
            });
        }
    }

    @Test
    void aRequestWithoutAnAnswerHasAnUnknownOutcomeAndIsNotSentAgain() throws Exception {
        try (RawPeer peer = RawPeer.start(RawPeer.Talk::request)) {
            runner().run(context -> {
                RestClient client = context.getBean(RestClient.Builder.class).build();
                UnknownOutcomeException unknown = catchThrowableOfType(
                        UnknownOutcomeException.class,
                        () -> client.post()
                                .uri(peer.url("/"))
                                .body("pay")
                                .retrieve()
                                .toBodilessEntity());
                assertThat(unknown.ending().why()).isEqualTo(Unknown.Cause.CLOSED);
                assertThat(unknown)
                        .isInstanceOf(ResourceAccessException.class)
                        .hasMessageStartingWith("unknown (closed): ");
            });
            assertThat(peer.requests()).hasSize(1);
        }
    }

    @Test
    void aRequestWithAnIdempotencyKeyIsSentAgain() throws Exception {
        AtomicInteger received = new AtomicInteger();
        try (RawPeer peer = RawPeer.start(talk -> {
            if (talk.request() != null && received.incrementAndGet() > 1) {
                talk.send(OK);
            }
        })) {
            runner().run(context -> assertThat(context.getBean(RestClient.Builder.class)
                            .build()
                            .post()
                            .uri(peer.url("/"))
                            .header("Idempotency-Key", "order-1")
                            .body("pay")
                            .retrieve()
                            .body(String.class))
                    .isEqualTo("ok"));
            assertThat(peer.requests()).hasSize(2);
        }
    }

    @Test
    void noConnectionFails() {
        runner().run(context -> assertThatExceptionOfType(FailedRequestException.class)
                .isThrownBy(() -> context.getBean(RestClient.Builder.class)
                        .build()
                        .get()
                        .uri(NOWHERE)
                        .retrieve()
                        .toBodilessEntity()));
    }

    @Test
    void aRejectionSaysWhenToTryAgain() {
        runner().withPropertyValues("penstock.flows.payments.to.http.url=" + NOWHERE)
                .run(context -> {
                    context.getBean(PenstockFlows.class).stop();
                    RejectedRequestException rejected = catchThrowableOfType(
                            RejectedRequestException.class,
                            () -> context.getBean(RestClient.Builder.class)
                                    .build()
                                    .get()
                                    .uri(NOWHERE)
                                    .retrieve()
                                    .toBodilessEntity());
                    assertThat(rejected.retryAfter()).isEqualTo(Duration.ofSeconds(1));
                });
    }

    @Test
    void anErrorStatusIsAnAnswer() throws Exception {
        try (RawPeer peer = RawPeer.answering("HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n")) {
            runner().run(context -> assertThatExceptionOfType(HttpServerErrorException.InternalServerError.class)
                    .isThrownBy(() -> context.getBean(RestClient.Builder.class)
                            .build()
                            .get()
                            .uri(peer.url("/"))
                            .retrieve()
                            .toBodilessEntity()));
        }
    }

    @Test
    void aBuilderOfTheUserReplacesOurs() {
        runner().withUserConfiguration(OwnBuilder.class)
                .run(context -> assertThat(context.getBean(ClientHttpRequestFactoryBuilder.class)
                                .build())
                        .isInstanceOf(JdkClientHttpRequestFactory.class));
    }

    @Test
    void aLibraryThatAPropertyNamesReplacesOurs() {
        runner().withPropertyValues("spring.http.clients.imperative.factory=jdk")
                .run(context -> assertThat(context.getBean(ClientHttpRequestFactoryBuilder.class)
                                .build())
                        .isInstanceOf(JdkClientHttpRequestFactory.class));
    }

    @Test
    void withoutBootsClientsThereAreFlowsOnly() {
        runner().withClassLoader(new FilteredClassLoader(ClientHttpRequestFactoryBuilder.class))
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(PenstockFlows.class));
    }

    @Test
    void redirectsCannotBeAskedFor() {
        runner().run(context -> assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> context.getBean(ClientHttpRequestFactoryBuilder.class)
                        .build(HttpClientSettings.defaults().withRedirects(HttpRedirects.FOLLOW)))
                .withMessageContaining("does not"));
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnBuilder {
        @Bean
        ClientHttpRequestFactoryBuilder<JdkClientHttpRequestFactory> mine() {
            return ClientHttpRequestFactoryBuilder.jdk();
        }
    }
}
