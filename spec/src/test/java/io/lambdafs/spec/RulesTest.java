package io.lambdafs.spec;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** No rule of the protocol is idle: without it, or without the two that back each other up, TLC finds a violation. */
class RulesTest {
    private static final Pattern RULE = Pattern.compile("Keeps\\(\"(\\w+)\"\\)");

    static List<Variant> variants() {
        return Variant.all().stream().filter(variant -> !variant.isLarge()).toList();
    }

    static List<Variant> largeVariants() {
        return Variant.all().stream().filter(Variant::isLarge).toList();
    }

    @ParameterizedTest
    @MethodSource("variants")
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    void shouldBreakTheInvariantThatTheRuleIsThereFor(Variant variant) throws Exception {
        assertBreaks(variant);
    }

    /** A minute or more each: {@code ./lambdafs test --model}. */
    @ParameterizedTest
    @MethodSource("largeVariants")
    @EnabledIfSystemProperty(named = "lambdafs.model", matches = "large")
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    void shouldBreakAnInvariantThatTakesALargerConfiguration(Variant variant) throws Exception {
        assertBreaks(variant);
    }

    private static void assertBreaks(Variant variant) throws IOException, InterruptedException {
        Tlc.Verdict verdict = new Tlc(Tlc.LIMIT).check(variant.configuration(), variant);
        if (variant.isLiveness()) {
            assertThat(verdict.outcome()).as("%s", verdict).isEqualTo(Tlc.Outcome.PROPERTY_VIOLATED);
        } else {
            assertThat(verdict.outcome()).as("%s", verdict).isEqualTo(Tlc.Outcome.INVARIANT_VIOLATED);
            assertThat(verdict.violated()).isEqualTo(variant.invariant());
        }
        assertThat(verdict.trace()).as("states of the counterexample").isGreaterThan(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Coherence", "Subtree", "ExactlyOnce", "OlderStore", "Generations"})
    void shouldHaveAVariantForEveryRuleOfAModule(String module) throws IOException {
        Set<String> rules = new TreeSet<>();
        Matcher matcher = RULE.matcher(Files.readString(Tlc.MODEL.resolve(module + ".tla")));
        while (matcher.find()) {
            rules.add(matcher.group(1));
        }
        Set<String> leftOut = new TreeSet<>();
        Variant.all().stream()
                .filter(variant -> variant.module().equals(module))
                .forEach(variant -> leftOut.addAll(variant.rules()));
        assertThat(leftOut).isEqualTo(rules);
    }
}
