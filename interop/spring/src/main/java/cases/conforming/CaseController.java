package cases.conforming;

import cases.Case;
import cases.Cases;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import java.io.IOException;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
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

@RestController
@RequestMapping("/cases")
public class CaseController {
  private final Cases cases;
  private final ObjectReader json =
      new ObjectMapper().reader().with(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
  private final Map<List<String>, Command> commands = new HashMap<>();

  private record Command(String subject, Case made) {}

  CaseController(Cases cases) {
    this.cases = cases;
  }

  @PostMapping(consumes = MediaType.APPLICATION_JSON_VALUE)
  @ResponseStatus(HttpStatus.CREATED)
  public Case create(
      @AuthenticationPrincipal Jwt caller,
      @RequestHeader HttpHeaders headers,
      @RequestBody(required = false) byte[] body) {
    List<String> keys = headers.getOrDefault("Idempotency-Key", Collections.emptyList());
    if (keys.size() != 1 || keys.get(0).isBlank()) {
      throw new Problem(HttpStatus.UNPROCESSABLE_ENTITY, "Idempotency-Key", "is required once");
    }
    String subject = subjectOf(body);
    synchronized (commands) {
      List<String> slot = List.of(caller.getSubject(), keys.get(0));
      Command before = commands.get(slot);
      if (before == null) {
        before = new Command(subject, cases.add(caller.getClaimAsString("tenant"), subject));
        commands.put(slot, before);
      } else if (!before.subject().equals(subject)) {
        throw new Problem(HttpStatus.CONFLICT, "Idempotency-Key", "was used for another command");
      }
      return before.made();
    }
  }

  private String subjectOf(byte[] body) {
    JsonNode value;
    try {
      value = json.readTree(body == null ? new byte[0] : body);
    } catch (JsonProcessingException error) {
      throw new Problem(HttpStatus.BAD_REQUEST, "body", "is not JSON");
    } catch (IOException error) {
      throw new Problem(HttpStatus.BAD_REQUEST, "body", "cannot be read");
    }
    if (value.isMissingNode()) throw new Problem(HttpStatus.BAD_REQUEST, "body", "is empty");
    JsonNode subject = value.path("subject");
    int length = subject.isTextual() ? subject.textValue().codePointCount(0, subject.textValue().length()) : 0;
    if (length < 1 || length > 200) {
      throw new Problem(HttpStatus.UNPROCESSABLE_ENTITY, "subject", "must be a text of 1 to 200 characters");
    }
    return subject.textValue();
  }

  @GetMapping
  public Cases.Page list(
      @AuthenticationPrincipal Jwt caller,
      @RequestParam(defaultValue = "0") String page,
      @RequestParam(defaultValue = "20") String size) {
    return cases.page(
        caller.getClaimAsString("tenant"),
        number("page", page, 0, Integer.MAX_VALUE),
        number("size", size, 1, 100));
  }

  private static int number(String name, String text, int least, int most) {
    try {
      int value = Integer.parseInt(text);
      if (value >= least && value <= most) return value;
    } catch (NumberFormatException error) {
      // Refused below, like a number out of range.
    }
    throw new Problem(HttpStatus.UNPROCESSABLE_ENTITY, name, "must be " + least + " to " + most);
  }

  @GetMapping("/{id}")
  public Case get(@AuthenticationPrincipal Jwt caller, @PathVariable String id) {
    return cases
        .find(caller.getClaimAsString("tenant"), id)
        .orElseThrow(() -> new Problem(HttpStatus.NOT_FOUND, "id", "is none of yours"));
  }
}
