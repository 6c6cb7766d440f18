package dev.penstock.spring;

import static dev.penstock.spring.PenstockContext.NOWHERE;
import static dev.penstock.spring.PenstockContext.runner;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import dev.penstock.Service;
import dev.penstock.Setting;
import dev.penstock.flow.Flow;
import dev.penstock.gateway.Gateway;
import dev.penstock.http.HttpAnswer;
import dev.penstock.http.HttpCall;
import dev.penstock.http.RawPeer;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.MutablePropertySources;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/** Flows of properties, their beans, and the errors for those that are not valid. */
class FlowPropertiesTest {
    private static final String URL = "penstock.flows.payments.to.http.url=" + NOWHERE + "/v1";
    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

    @Test
    void aFlowIsABeanOfItsName() throws Exception {
        try (RawPeer peer = RawPeer.answering(OK)) {
            runner().withPropertyValues("penstock.flows.payments.to.http.url=" + peer.url("/v1"))
                    .run(context -> {
                        @SuppressWarnings("unchecked")
                        Flow<HttpCall, HttpAnswer> payments = context.getBean("payments", Flow.class);
                        assertThat(payments.call(HttpCall.get("/4")).text()).isEqualTo("ok");
                        assertThat(payments.accounting().answered()).isEqualTo(1);
                    });
            assertThat(peer.requests().getFirst()).startsWith("GET /v1/4 HTTP/1.1");
        }
    }

    @Test
    void anApplicationWithoutPropertiesStarts() {
        runner().run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(Flow.class));
    }

    @ParameterizedTest
    @ValueSource(strings = {"connect_timeout", "connect-timeout", "connectTimeout"})
    void keysHaveAnyForm(String form) {
        runner().withPropertyValues(URL, "penstock.flows.payments.pool." + form + "=700ms")
                .run(context -> assertThat(setting(context.getBean(Flow.class), "pool.connect_timeout"))
                        .isEqualTo("700 ms"));
    }

    @Test
    void anEnvironmentVariableCountsBeforeAFile() {
        ApplicationContextRunner runner = runner().withPropertyValues(
                        "penstock.flows.smallOrders.to.http.url=" + NOWHERE,
                        "penstock.flows.smallOrders.limit.max=40",
                        "penstock.flows.smallOrders.pool.connect-timeout=3s");
        with(
                        runner,
                        Map.of(
                                "PENSTOCK_FLOWS_SMALLORDERS_POOL_CONNECTTIMEOUT",
                                "700ms",
                                "PENSTOCK_FLOWS_SMALLORDERS_LIMIT",
                                "7",
                                "PENSTOCK_HOME",
                                "/opt"))
                .run(context -> {
                    Flow<?, ?> flow = context.getBean("smallOrders", Flow.class);
                    assertThat(setting(flow, "pool.connect_timeout")).isEqualTo("700 ms");
                    assertThat(setting(flow, "limit")).isEqualTo("7");
                });
    }

    @Test
    void listsAndHeadersAreRead() throws Exception {
        try (RawPeer peer = RawPeer.answering(OK)) {
            runner().withPropertyValues(
                            "penstock.flows.payments.to.http.url=" + peer.url("/"),
                            "penstock.flows.payments.to.http.headers.X-Shop-Id=s1",
                            "penstock.flows.payments.retry.answers[0]=429",
                            "penstock.flows.payments.retry.answers[1]=503",
                            "shop.token=secret",
                            "penstock.flows.payments.to.http.headers.Authorization=Bearer ${shop.token}")
                    .run(context -> {
                        @SuppressWarnings("unchecked")
                        Flow<HttpCall, HttpAnswer> payments = context.getBean(Flow.class);
                        assertThat(payments.call(HttpCall.get("/")).status()).isEqualTo(200);
                    });
            assertThat(peer.requests().getFirst()).contains("X-Shop-Id: s1\r\n", "Authorization: Bearer secret\r\n");
        }
    }

    @Test
    void errorsNameThePropertyAndItsOrigin() {
        runner("bad.properties")
                .run(context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .hasMessageContaining(
                                "penstock.flows.payments.deadline (class path resource [bad.properties] - 2:34):"
                                        + " 'deadline' is 5, which has no unit; write for instance 5s or 5ms")
                        .hasMessageContaining(
                                "penstock.flows.payments.retry.atempts (class path resource [bad.properties] - 3:39):"
                                        + " unknown key 'atempts' in retry; did you mean 'attempts'?")
                        .hasMessageContaining(
                                "[bad.properties] - 4:35): 'limit.min' is 10, greater than 'limit.max' (5)"));
    }

    @Test
    void anErrorDoesNotShowAFilledInValue() {
        runner().withPropertyValues(URL, "shop.secret=abc", "penstock.flows.payments.deadline=${shop.secret}")
                .run(context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .hasMessageContaining("'deadline' is \"${shop.secret}\" filled in, which is not a duration")
                        .hasMessageNotContaining("abc"));
    }

    @Test
    void aFlowHasNoSourceHere() {
        runner().withPropertyValues(URL, "penstock.flows.payments.from.http.port=8080")
                .run(context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .hasMessageContaining("unknown key 'from' in flow 'payments'"));
    }

    @Test
    void theAnalyzerShowsTheLines() {
        runner("bad.properties").run(context -> {
            Throwable failure = Objects.requireNonNull(context.getStartupFailure());
            assertThat(new BadFlowsAnalyzer().analyze(failure))
                    .extracting(FailureAnalysis::getDescription, STRING)
                    .contains("[bad.properties] - 2:34");
        });
    }

    @Test
    void aTakenBeanNameGetsAnEndAndTheQualifierRemains() {
        runner().withUserConfiguration(Taken.class).withPropertyValues(URL).run(context -> {
            assertThat(context.getBean("payments")).isEqualTo("a text");
            assertThat(context.getBean("paymentsFlow")).isInstanceOf(Flow.class);
            assertThat(context.getBean("asked")).isEqualTo("payments");
        });
    }

    @Test
    void twoFlowsOfOneNameStopTheStart() {
        runner().withUserConfiguration(OwnPayments.class)
                .withPropertyValues(URL)
                .run(context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .hasMessageContaining("two flows have the name 'payments'"));
    }

    @Test
    void anOwnFlowIsShownWithTheOthers() {
        runner().withUserConfiguration(OwnPayments.class)
                .withPropertyValues("penstock.flows.orders.to.http.url=" + NOWHERE)
                .run(context -> assertThat(context.getBean(PenstockFlows.class).flows())
                        .extracting(flow -> flow.name())
                        .containsExactlyInAnyOrder("orders", "payments"));
    }

    @Test
    void aCustomizerCompletesTheStages() {
        runner().withUserConfiguration(Customized.class)
                .withPropertyValues(URL)
                .run(context -> assertThat(setting(context.getBean(Flow.class), "deadline"))
                        .isEqualTo("7 s"));
    }

    /** Which Boot manages, and which loses calls over HTTP/2 when a server ends a connection. */
    @Test
    void anOldHttpCoreIsUsedForHttp1() {
        String url = "penstock.flows.payments.to.http.url=https://127.0.0.1:1";
        runner().withPropertyValues(url)
                .run(
                        context -> assertThat(
                                        context.getBean(Flow.class).settings().toString())
                                .contains(
                                        "auto uses HTTP/1.1: HTTP/2 needs HttpCore 5.4 or later, but the class path has 5.3.6"));
        runner().withPropertyValues(url, "penstock.flows.payments.to.http.version=2")
                .run(context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .hasMessageContaining(
                                "with Spring Boot set the property httpcore5.version, or remove the version"));
    }

    @Test
    void withoutTheGatewayThereIsNothing() {
        runner().withClassLoader(new FilteredClassLoader(Gateway.class))
                .withPropertyValues(URL)
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(PenstockFlows.class));
    }

    private static ApplicationContextRunner with(ApplicationContextRunner runner, Map<String, Object> variables) {
        return runner.withInitializer(context -> {
            MutablePropertySources sources = context.getEnvironment().getPropertySources();
            sources.remove("systemEnvironment");
            sources.addFirst(new SystemEnvironmentPropertySource("systemEnvironment", variables));
        });
    }

    private static String setting(Flow<?, ?> flow, String name) {
        return flow.settings().stream()
                .filter(setting -> setting.name().equals(name))
                .map(Setting::value)
                .findFirst()
                .orElseThrow();
    }

    @Configuration(proxyBeanMethods = false)
    static class Taken {
        @Bean
        String payments() {
            return "a text";
        }

        @Bean
        String asked(@Qualifier("payments") Flow<HttpCall, HttpAnswer> flow) {
            return flow.name();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnPayments {
        @Bean
        Flow<String, String> mine() {
            return Flow.named("payments").to(Service.honoringDeadline(text -> text));
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Customized {
        @Bean
        FlowCustomizer sevenSeconds() {
            return (name, stages) -> stages.deadline(Duration.ofSeconds(7));
        }
    }
}
