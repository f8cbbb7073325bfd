package io.lambdafs.systemtests;

import static com.tngtech.archunit.base.DescribedPredicate.alwaysTrue;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Dependencies point one way: from each room to those that docs/ARCHITECTURE.md names for it. */
class DependencyDirectionTest {
    @ParameterizedTest
    @EnumSource
    void shouldDependOnlyOnRoomsBelow(Room room) {
        directionRule(Code.ROOT, room).allowEmptyShould(!Code.isBuilt(room)).check(Code.production());
    }

    @Test
    void shouldHaveEveryClassInARoom() {
        assertThat(Code.production())
                .isNotEmpty()
                .filteredOn(type -> Room.of(Code.ROOT, type.getPackageName()).isEmpty())
                .isEmpty();
    }

    @Test
    void shouldKeepTheModelFreeOfLibraries() {
        classes()
                .that(Code.inRoom(Room.MODEL, Code.ROOT))
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage("java..", "org.jspecify..", Code.ROOT + ".model..")
                .check(Code.production());
    }

    @Test
    void shouldNoticeADependencyThatPointsUp() {
        List<String> failures = failuresOf(directionRule(Code.VIOLATIONS_ROOT, Room.MODEL));

        assertThat(failures).singleElement().asString().contains("ModelThatKnowsTheStore", "MODEL", "STORE");
    }

    @Test
    void shouldLetOnlyEntriesOfFunctionsReachTheStoreServer() {
        assertThat(Room.FUNCTIONS.mayUse(Room.STORE_SERVER, Code.ROOT, "io.lambdafs.functions.instance"))
                .isTrue();
        assertThat(Room.FUNCTIONS.mayUse(Room.STORE_SERVER, Code.ROOT, "io.lambdafs.functions.namenode"))
                .isFalse();
    }

    @Test
    void shouldTellNestedRoomsApart() {
        assertThat(Room.of(Code.ROOT, "io.lambdafs.store.embedded.server")).contains(Room.STORE_EMBEDDED);
        assertThat(Room.of(Code.ROOT, "io.lambdafs.store.server")).contains(Room.STORE_SERVER);
        assertThat(Room.of(Code.ROOT, "io.lambdafs.store.memory")).contains(Room.STORE);
        assertThat(Room.of(Code.ROOT, "io.lambdafs.storefront")).isEmpty();
    }

    @Test
    void shouldHaveNoCycleBetweenRooms() {
        assertThat(Arrays.stream(Room.values())
                        .flatMap(lower -> Arrays.stream(Room.values())
                                .filter(upper -> upper != lower)
                                .filter(upper ->
                                        lower.mayUse(upper, Code.ROOT, "") && upper.mayUse(lower, Code.ROOT, ""))))
                .isEmpty();
    }

    private static ArchRule directionRule(String root, Room room) {
        return classes().that(Code.inRoom(room, root)).should(useOnlyRoomsBelow(root, room));
    }

    private static ArchCondition<JavaClass> useOnlyRoomsBelow(String root, Room room) {
        return new ArchCondition<>("use only rooms below " + room) {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
                    JavaClass target = dependency.getTargetClass().getBaseComponentType();
                    Optional<Room> used = Room.of(root, target.getPackageName());
                    if (used.isPresent() && !room.mayUse(used.get(), root, type.getPackageName())) {
                        String message = room + " must not use " + used.get() + ": " + dependency.getDescription();
                        events.add(SimpleConditionEvent.violated(dependency, message));
                    }
                }
            }
        };
    }

    private static List<String> failuresOf(ArchRule rule) {
        assertThat(Code.violations().that(alwaysTrue())).isNotEmpty();
        return rule.evaluate(Code.violations()).getFailureReport().getDetails();
    }
}
