package cases;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** Keeps the cases of each tenant in memory. */
public class Cases {
  private final Map<String, Map<String, Case>> byTenant = new LinkedHashMap<>();

  public synchronized Case add(String tenant, String subject) {
    Case made = new Case("case_" + UUID.randomUUID(), "open", subject);
    byTenant.computeIfAbsent(tenant, any -> new LinkedHashMap<>()).put(made.id(), made);
    return made;
  }

  public synchronized Page page(String tenant, int number, int size) {
    List<Case> all = new ArrayList<>(byTenant.getOrDefault(tenant, Map.of()).values());
    int from = (int) Math.min((long) number * size, all.size());
    return new Page(all.subList(from, Math.min(from + size, all.size())), number, size, all.size());
  }

  public synchronized Optional<Case> find(String tenant, String id) {
    return Optional.ofNullable(byTenant.getOrDefault(tenant, Map.of()).get(id));
  }

  public record Page(List<Case> content, int number, int size, long totalElements) {}
}
