package dev.penstock.races.hop;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;

/**
 * The process of Spring Cloud Gateway, as its documentation recommends it, with the routes in its configuration file.
 */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
final class SpringMain {
    SpringMain() {}

    /**
     * Runs the gateway.
     *
     * @param args Spring's command line arguments
     */
    public static void main(String[] args) {
        SpringApplication.run(SpringMain.class, args);
    }
}
