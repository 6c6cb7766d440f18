package dev.penstock.kit.program;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;

/** The test, or all tests of the class, need these programs. Where one is missing it is skipped before anything is set up. */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Tag("program")
@ExtendWith(NeedsProgram.Condition.class)
public @interface NeedsProgram {
    /** Names in {@code packages.properties}. */
    String[] value();

    /** Disables the test. */
    final class Condition implements ExecutionCondition {
        @Override
        public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
            return AnnotationSupport.findAnnotation(context.getElement(), NeedsProgram.class).stream()
                    .flatMap(needs -> Stream.of(needs.value()))
                    .filter(program -> Programs.find(program).isEmpty())
                    .findFirst()
                    .map(program -> ConditionEvaluationResult.disabled(Programs.missing(program)))
                    .orElse(ConditionEvaluationResult.enabled("no program is missing"));
        }
    }
}
