package dev.penstock.spring;

import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** Adds {@link PenstockEndpoint} where the Actuator exposes it. */
@AutoConfiguration(after = PenstockAutoConfiguration.class)
@ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
@ConditionalOnBean(PenstockFlows.class)
@ConditionalOnAvailableEndpoint(endpoint = PenstockEndpoint.class)
public final class PenstockEndpointAutoConfiguration {
    /** For Spring. */
    PenstockEndpointAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean
    PenstockEndpoint penstockEndpoint(PenstockFlows flows) {
        return new PenstockEndpoint(flows);
    }
}
