package io.lambdafs.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaFieldAccess;
import io.lambdafs.model.operation.OperationKind;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Only the registry lists the kinds of operations: a list elsewhere would miss the next kind. */
class OperationRegistryTest {
    /** More kinds than a class may single out. */
    private static final int LIST = 4;

    @Test
    void shouldListKindsInTheRegistryAlone() {
        assertThat(listing(Code.production())).isEmpty();
    }

    @Test
    void shouldNoticeAListOfKinds() {
        assertThat(listing(Code.violations())).singleElement().asString().contains("ListOfKinds");
    }

    private static List<String> listing(JavaClasses classes) {
        return classes.stream()
                .filter(type -> !type.getPackageName().equals(OperationKind.class.getPackageName()))
                .filter(type -> kinds(type).size() >= LIST)
                .map(type -> type.getName() + " lists " + kinds(type))
                .toList();
    }

    private static Set<String> kinds(JavaClass type) {
        return type.getFieldAccessesFromSelf().stream()
                .map(JavaFieldAccess::getTarget)
                .filter(field -> field.getOwner().isEquivalentTo(OperationKind.class))
                .map(field -> field.getName())
                .collect(Collectors.toSet());
    }
}
