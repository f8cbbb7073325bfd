package io.lambdafs.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaModifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The client's public API names only itself, the model and the JDK: nothing internal becomes a promise unnoticed. */
class ClientSurfaceTest {
    /** Packages that CHANGELOG.md calls the API. */
    private static final List<String> SURFACE = List.of("client", "client.config", "client.metrics");

    /** Types of other packages that are promised with it. */
    private static final Set<String> EXCEPTIONS = Set.of(
            // The cluster's secret: every process reads it, from a file or as text.
            "io.lambdafs.rpc.auth.Secret",
            // Netty or KryoNet.
            "io.lambdafs.rpc.transports.TransportKind",
            // For programs that open many clients, or have another way to a function: benches and
            // lambdafs-client-lambda.
            "io.lambdafs.client.runtime.ClientRuntime",
            "io.lambdafs.client.http.Invoker");

    @Test
    void shouldNameNothingInternalInAPublicSignature() {
        Map<String, Set<String>> foreign = foreign(Code.production(), Code.ROOT);

        assertThat(foreign.keySet()).as("%s", foreign).isEqualTo(EXCEPTIONS);
    }

    @Test
    void shouldNoticeAnInternalTypeInASignature() {
        assertThat(foreign(Code.violations(), Code.VIOLATIONS_ROOT))
                .containsOnlyKeys("io.lambdafs.rpc.message.Codec")
                .hasEntrySatisfying(
                        "io.lambdafs.rpc.message.Codec",
                        members ->
                                assertThat(members).singleElement().asString().contains("SurfaceThatShowsAnInternal"));
    }

    /** The types that are neither of the surface nor of the model, each with what names it. */
    private static Map<String, Set<String>> foreign(JavaClasses classes, String root) {
        Map<String, Set<String>> foreign = new TreeMap<>();
        for (JavaClass type : classes) {
            if (isOfSurface(type, root) && isVisible(type)) {
                note(foreign, root, type.getName(), parents(type));
                for (JavaCodeUnit unit : type.getCodeUnits()) {
                    if (isOpen(unit.getModifiers())) {
                        note(foreign, root, unit.getFullName(), unit.getAllInvolvedRawTypes());
                        note(foreign, root, unit.getFullName(), unit.getExceptionTypes());
                    }
                }
                for (JavaField field : type.getFields()) {
                    if (isOpen(field.getModifiers())) {
                        note(foreign, root, field.getFullName(), field.getAllInvolvedRawTypes());
                    }
                }
            }
        }
        return foreign;
    }

    private static List<JavaClass> parents(JavaClass type) {
        List<JavaClass> parents = new ArrayList<>(type.getRawInterfaces());
        type.getRawSuperclass().ifPresent(parents::add);
        return parents;
    }

    private static void note(
            Map<String, Set<String>> foreign, String root, String where, Iterable<? extends JavaClass> named) {
        for (JavaClass each : named) {
            JavaClass type = each.getBaseComponentType();
            boolean known = type.isPrimitive()
                    || type.getPackageName().startsWith("java.")
                    || Room.isWithin(type.getPackageName(), Code.ROOT + ".model")
                    || isOfSurface(type, root);
            if (!known) {
                foreign.computeIfAbsent(type.getName(), name -> new TreeSet<>()).add(where);
            }
        }
    }

    private static boolean isOfSurface(JavaClass type, String root) {
        return SURFACE.stream().anyMatch(name -> type.getPackageName().equals(root + "." + name));
    }

    /** Public, with all that it is nested in. */
    private static boolean isVisible(JavaClass type) {
        return type.getModifiers().contains(JavaModifier.PUBLIC)
                && type.getEnclosingClass().map(ClientSurfaceTest::isVisible).orElse(true);
    }

    private static boolean isOpen(Set<JavaModifier> modifiers) {
        return (modifiers.contains(JavaModifier.PUBLIC) || modifiers.contains(JavaModifier.PROTECTED))
                && !modifiers.contains(JavaModifier.SYNTHETIC);
    }
}
