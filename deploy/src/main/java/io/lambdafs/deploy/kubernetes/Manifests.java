package io.lambdafs.deploy.kubernetes;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.lambdafs.platform.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Manifests from this package's YAML templates, in which <code>${name}</code> stands for a value, written as JSON.
 * Stateless.
 */
final class Manifests {
    private static final Pattern PLACE = Pattern.compile("\\$\\{(\\w+)\\}");
    private static final String SEPARATOR = "(?m)^---$";

    /** Sorts the entries of maps, whose order may differ between processes. */
    private static final ObjectWriter SORTED = Json.mapper().writer(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS);

    private Manifests() {}

    /**
     * Fills a template.
     *
     * @param template the name of its file
     * @param values by name; every placeholder needs one
     */
    static List<GenericKubernetesResource> render(String template, Map<String, Object> values) {
        String filled = PLACE.matcher(read(template))
                .replaceAll(place -> Matcher.quoteReplacement(json(
                        Objects.requireNonNull(values.get(place.group(1)), () -> template + ": " + place.group(1)))));
        List<GenericKubernetesResource> all = new ArrayList<>();
        for (String part : filled.split(SEPARATOR)) {
            if (!part.isBlank()) {
                all.add(Serialization.unmarshal(part, GenericKubernetesResource.class));
            }
        }
        return all;
    }

    private static String read(String template) {
        try (InputStream in = Manifests.class.getResourceAsStream(template)) {
            return new String(Objects.requireNonNull(in, template).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String json(Object value) {
        try {
            return SORTED.writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns it as {@code kubectl apply -f} takes it, without the data of a Secret. */
    static String text(GenericKubernetesResource manifest) {
        GenericKubernetesResource shown = manifest;
        if (manifest.getKind().equals("Secret")) {
            shown = Serialization.clone(manifest);
            shown.setAdditionalProperty("data", Map.of());
        }
        return Serialization.asYaml(shown).replaceFirst("^---\\R", "");
    }
}
