package cases;

public record Case(String id, String status, String subject) {}
