package cases.plain;

import cases.Case;
import cases.Cases;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotEmpty;
import jakarta.validation.constraints.Size;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.http.HttpStatus;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

@RestController
@RequestMapping("/cases")
public class CaseController {
  private final Cases cases;
  private final Map<String, Case> byKey = new ConcurrentHashMap<>();

  CaseController(Cases cases) {
    this.cases = cases;
  }

  record CaseRequest(@NotEmpty @Size(max = 200) String subject) {}

  @PostMapping
  @ResponseStatus(HttpStatus.CREATED)
  @PreAuthorize("hasAuthority('case.create')")
  public Case create(
      @AuthenticationPrincipal Jwt caller,
      @RequestHeader("Idempotency-Key") String key,
      @Valid @RequestBody CaseRequest request) {
    return byKey.computeIfAbsent(
        key, unused -> cases.add(caller.getClaimAsString("tenant"), request.subject()));
  }

  @GetMapping
  @PreAuthorize("hasAuthority('case.read')")
  public Cases.Page list(
      @AuthenticationPrincipal Jwt caller,
      @RequestParam(defaultValue = "0") @Min(0) int page,
      @RequestParam(defaultValue = "20") @Min(1) @Max(100) int size) {
    return cases.page(caller.getClaimAsString("tenant"), page, size);
  }

  @GetMapping("/{id}")
  @PreAuthorize("hasAuthority('case.read')")
  public Case get(@AuthenticationPrincipal Jwt caller, @PathVariable String id) {
    return cases
        .find(caller.getClaimAsString("tenant"), id)
        .orElseThrow(() -> new ResponseStatusException(HttpStatus.NOT_FOUND));
  }
}
