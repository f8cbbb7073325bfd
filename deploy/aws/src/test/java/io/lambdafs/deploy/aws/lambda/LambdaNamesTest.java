package io.lambdafs.deploy.aws.lambda;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.deploy.FunctionsSpec;
import io.lambdafs.deploy.Problem;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LambdaNamesTest {
    private static final String IMAGE = "123456789012.dkr.ecr.eu-north-1.amazonaws.com/lambdafs:1";

    private static List<Problem.Code> codes(String image, String variable) {
        return LambdaNames.problems(new FunctionsSpec(
                        "music", 1, image, 512, 1, Duration.ofMinutes(1), 0, 0.005, "{}", null, Map.of(variable, "1")))
                .stream()
                .map(Problem::code)
                .toList();
    }

    @Test
    void shouldTakeImagesOfEcrAlone() {
        assertThat(codes(IMAGE, "MORE")).isEmpty();
        assertThat(codes("123456789012.dkr.ecr.cn-north-1.amazonaws.com.cn/a/b@sha256:1", "MORE"))
                .isEmpty();
        assertThat(codes("", "MORE")).isEmpty();
        assertThat(codes("registry.example.com/lambdafs:1", "MORE")).containsExactly(Problem.Code.IMAGE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"A", "_MORE", "AWS_REGION", "AWS_ACCESS_KEY_ID"})
    void shouldRefuseVariablesThatLambdaRefuses(String name) {
        assertThat(codes(IMAGE, name)).containsExactly(Problem.Code.CONFIGURATION);
    }

    @Test
    void shouldLeaveTheJvmsOptionsOfAZipAlone() {
        assertThat(codes("", "JAVA_TOOL_OPTIONS")).containsExactly(Problem.Code.CONFIGURATION);
        assertThat(codes(IMAGE, "JAVA_TOOL_OPTIONS")).isEmpty();
        assertThat(codes(IMAGE, "AWS_PROFILE")).isEmpty();
    }
}
