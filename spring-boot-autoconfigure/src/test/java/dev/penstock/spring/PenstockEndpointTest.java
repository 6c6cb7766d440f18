package dev.penstock.spring;

import static dev.penstock.spring.PenstockContext.NOWHERE;
import static dev.penstock.spring.PenstockContext.runner;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import org.junit.jupiter.api.Test;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.SmartLifecycle;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;

/** The Actuator, health and metrics show the flows. */
class PenstockEndpointTest {
    private static ApplicationContextRunner payments() {
        return runner().withPropertyValues(
                        "penstock.flows.payments.to.http.url=" + NOWHERE,
                        "management.endpoints.web.exposure.include=penstock",
                        "management.endpoints.jmx.exposure.include=penstock");
    }

    @Test
    void flowsAreShownWithTheirSettings() {
        payments().run(context -> {
            PenstockEndpoint endpoint = context.getBean(PenstockEndpoint.class);
            assertThat(endpoint.all()).containsOnlyKeys("flows");
            assertThat(endpoint.one("payments"))
                    .containsEntry("name", "payments")
                    .containsEntry("to", NOWHERE + "/")
                    .containsKeys("accounting", "stages", "settings", "bottleneck");
            assertThat(endpoint.one("other")).isNull();
        });
    }

    @Test
    void aSettingIsPinnedAndUnpinned() {
        payments().run(context -> {
            PenstockEndpoint endpoint = context.getBean(PenstockEndpoint.class);
            assertThat(endpoint.pin("payments", "limit", "7"))
                    .containsEntry("value", "7")
                    .containsEntry("source", "pinned");
            assertThat(endpoint.unpin("payments", "limit")).containsEntry("pin", "off");
            assertThatExceptionOfType(InvalidEndpointRequestException.class)
                    .isThrownBy(() -> endpoint.pin("other", "limit", "7"))
                    .withMessage("there is no flow other");
            assertThatExceptionOfType(InvalidEndpointRequestException.class)
                    .isThrownBy(() -> endpoint.pin("payments", "limit", "many"))
                    .withMessageContaining("limit: give ");
        });
    }

    @Test
    void healthFollowsTheFlows() {
        payments().run(context -> {
            HealthIndicator health = context.getBean("penstockHealthIndicator", HealthIndicator.class);
            assertThat(health.health()).extracting(Health::getStatus).isEqualTo(Status.UP);
            PenstockFlows flows = context.getBean(PenstockFlows.class);
            flows.stop();
            assertThat(health.health()).extracting(Health::getStatus).isEqualTo(Status.OUT_OF_SERVICE);
            assertThat(flows.isPauseable()).isFalse();
            assertThatExceptionOfType(IllegalStateException.class).isThrownBy(flows::start);
        });
    }

    /** What runs tasks and requests stops first. */
    @Test
    void flowsStopAfterTheirCallers() {
        runner().withBean(ThreadPoolTaskExecutor.class)
                .run(context -> assertThat(context.getBean(PenstockFlows.class).getPhase())
                        .isLessThan(
                                context.getBean(ThreadPoolTaskExecutor.class).getPhase())
                        .isLessThan(SmartLifecycle.DEFAULT_PHASE - 2048));
    }

    @Test
    void metricsHaveTheNamesOfTheGateway() {
        payments().run(context -> {
            SimpleMeterRegistry registry = new SimpleMeterRegistry();
            context.getBean("penstockMeters", MeterBinder.class).bindTo(registry);
            assertThat(registry.find("penstock.flow.in.flight")
                            .tag("flow", "payments")
                            .gauge())
                    .isNotNull();
        });
    }

    @Test
    void prometheusGetsThemToo() {
        payments().run(context -> {
            PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
            context.getBean("penstockMeters", MeterBinder.class).bindTo(registry);
            assertThat(registry.scrape()).contains("penstock_flow_in_flight{flow=\"payments\"");
        });
    }

    @Test
    void withoutTheActuatorThereIsNoEndpoint() {
        payments()
                .withClassLoader(new FilteredClassLoader(
                        ConditionalOnAvailableEndpoint.class, HealthIndicator.class, MeterBinder.class))
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .hasSingleBean(PenstockFlows.class)
                        .doesNotHaveBean("penstockEndpoint")
                        .doesNotHaveBean("penstockHealthIndicator")
                        .doesNotHaveBean("penstockMeters"));
    }

    @Test
    void anEndpointThatIsNotExposedIsNotThere() {
        runner().run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(PenstockEndpoint.class));
    }
}
