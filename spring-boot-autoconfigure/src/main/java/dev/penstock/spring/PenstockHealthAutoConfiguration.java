package dev.penstock.spring;

import dev.penstock.observe.Health;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.context.annotation.Bean;

/**
 * Shows in the application's health whether flows accept transactions. A dependency that is down does not count: transactions
 * then end with their reasons, and another instance would not reach it either.
 */
@AutoConfiguration(after = PenstockAutoConfiguration.class)
@ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnBean(PenstockFlows.class)
@ConditionalOnEnabledHealthIndicator("penstock")
public final class PenstockHealthAutoConfiguration {
    /** For Spring. */
    PenstockHealthAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean(name = "penstockHealthIndicator")
    HealthIndicator penstockHealthIndicator(PenstockFlows flows) {
        return () -> health(Health.of(flows));
    }

    private static org.springframework.boot.health.contributor.Health health(Health health) {
        Status status = switch (health.status()) {
            case UP -> Status.UP;
            case STARTING, DRAINING -> Status.OUT_OF_SERVICE;
            case DOWN -> Status.DOWN;
        };
        return org.springframework.boot.health.contributor.Health.status(status)
                .withDetails(health.toMap())
                .build();
    }
}
